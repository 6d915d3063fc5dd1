import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../packages/relay/src/secrets/new-token.ts';
import { environment } from '../cli/command.ts';
import { temporaryFolder } from '../sandbox/support/temporary-folder.ts';
import type { Listening } from '../shared/support/loopback.ts';
import { root } from '../structure/project.ts';
import { node, startProgram } from '../support/program.ts';
import { startServer } from './support/connect.ts';
import { relayEnvironment } from './support/relay-environment.ts';
import { stdioOverHttp, withBearerToken } from './support/stdio-over-http.ts';

const suite = join(root, 'test/node_modules/@modelcontextprotocol/conformance/dist/index.js');
const env = {
  ...environment('http://127.0.0.1:9/api/v1', { apiKey: 'svc_key' }),
  ...relayEnvironment('http://127.0.0.1:9', makeToken()),
};
const folder = temporaryFolder();

/** The other scenarios call tools, prompts and resources of a server made for the suite. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'prompts-list'];

const listening: Listening[] = [];
afterEach(async () => {
  for (const one of listening.splice(0)) await one.close();
});

const wires = {
  HTTP: async () => withBearerToken(await startServer(env, { args: ['--http', '0'] }).address),
  stdio: () => stdioOverHttp(() => startServer(env)),
};

async function verdict(wire: keyof typeof wires, scenario: string) {
  const server = await wires[wire]();
  listening.push(server);
  const url = `http://localhost:${server.port}/mcp`;
  const args = [suite, 'server', '--url', url, '--scenario', scenario];
  const { code, output } = await startProgram(node, args, { cwd: folder() }).ended;
  return { code, passed: /Passed: (\d+)\/(\d+)/.exec(output)?.slice(1), output };
}

describe("the protocol's own conformance suite", () => {
  it.each([
    ...scenarios.flatMap((scenario) => [['stdio', scenario] as const, ['HTTP', scenario] as const]),
    ['HTTP', 'dns-rebinding-protection'] as const,
  ])('%s: %s', async (wire, scenario) => {
    const { code, passed, output } = await verdict(wire, scenario);
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
    expect(Number(passed?.[0])).toBeGreaterThan(0);
    expect(passed?.[0]).toBe(passed?.[1]);
  });
});
