import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '@screen-advertising/core';
import { runMcpServer } from '../../../packages/mcp/src/run.ts';
import { closeAfterTest } from '../../support/closing.ts';

export interface ServerOptions {
  readonly args?: readonly string[];
  readonly clock?: Clock;
}

export interface RunningServer {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly ended: Promise<number>;
  readonly errors: () => string;
  readonly stop: () => void;
}

type Environment = Readonly<Record<string, string>>;

/** The server in this process, as its program runs it; stopped at the end of the test. */
export function startServer(env: Environment, options: ServerOptions = {}): RunningServer {
  const { args = [], clock } = options;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stopped = new AbortController();
  let errors = '';
  const ended = runMcpServer(args, {
    version: '1.2.3',
    env,
    input,
    output,
    writeError(text) {
      errors += text;
    },
    stop: stopped.signal,
    ...(clock && { clock }),
  });
  const stop = () => stopped.abort();
  closeAfterTest(() => {
    stop();
    return ended;
  });
  return { input, output, ended, errors: () => errors, stop };
}

/** The official client, connected by lines of JSON over two streams. */
export async function connect(env: Environment, options: ServerOptions = {}): Promise<Client> {
  const server = startServer(env, options);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioServerTransport(server.output, server.input));
  closeAfterTest(() => client.close());
  return client;
}
