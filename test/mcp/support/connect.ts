import { PassThrough } from 'node:stream';
import { afterEach } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '@screen-advertising/core';
import { tokenVariable } from '../../../packages/mcp/src/arguments.ts';
import { run } from '../../../packages/mcp/src/run.ts';

/** Both ways in which a client reaches the server. */
export const wires = ['stdio', 'HTTP'] as const;
export type Wire = (typeof wires)[number];

export const bearerToken = 'the-token-of-this-mcp-server';

export interface ServerOptions {
  readonly args?: readonly string[];
  readonly clock?: Clock;
}

export interface RunningServer {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly ended: Promise<number>;
  readonly errors: () => string;
  /** The error output, once it holds an address. */
  readonly address: Promise<string>;
  readonly stop: () => void;
}

type Environment = Readonly<Record<string, string>>;

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** The server in this process, as its program runs it; stopped at the end of the test. */
export function startServer(env: Environment, options: ServerOptions = {}): RunningServer {
  const { args = [], clock } = options;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stopped = new AbortController();
  let errors = '';
  let found: (address: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => {
    found = resolve;
  });
  const ended = run(args, {
    version: '1.2.3',
    env: { [tokenVariable]: bearerToken, ...env },
    input,
    output,
    writeError(text) {
      errors += text;
      const [, url] = /Listening at (\S+)\.\s/.exec(errors) ?? [];
      if (url) found(url);
    },
    stop: stopped.signal,
    ...(clock && { clock }),
  });
  const stop = () => stopped.abort();
  cleanUps.push(() => {
    stop();
    return ended;
  });
  return { input, output, ended, errors: () => errors, address, stop };
}

/** The official client, connected over this wire. */
export async function connect(
  wire: Wire,
  env: Environment,
  { mode = 'legacy', args = [], ...options }: ServerOptions & { mode?: 'legacy' | 'auto' } = {},
): Promise<Client> {
  const onHttp = wire === 'HTTP' ? ['--http', '0'] : [];
  const server = startServer(env, { ...options, args: [...onHttp, ...args] });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    wire === 'HTTP'
      ? new StreamableHTTPClientTransport(new URL(await server.address), {
          requestInit: { headers: { authorization: `Bearer ${bearerToken}` } },
        })
      : // Lines of JSON over two streams, for either side.
        new StdioServerTransport(server.output, server.input),
  );
  cleanUps.push(() => client.close());
  return client;
}
