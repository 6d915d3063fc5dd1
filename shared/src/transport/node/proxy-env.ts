import { globalAgent } from 'node:http';

/** The environment's proxy settings, if Node.js uses them (from version 22.21 and 24.5). */
export function proxyEnv(): NodeJS.ProcessEnv | undefined {
  const { options } = globalAgent as { options?: { proxyEnv?: NodeJS.ProcessEnv } };
  return options?.proxyEnv;
}
