import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { run } from '../../../../packages/mcp/src/run.ts';
import { environment } from '../../../cli/command.ts';
import { callTool } from '../../../mcp/support/call.ts';
import { relayEnvironment } from '../../../mcp/support/relay-environment.ts';
import type { RelayPlayer } from '../relay-call.ts';

const service = environment('http://127.0.0.1:9/api/v1', { apiKey: 'svc_key' });

/** The tool of the MCP server that reads a relay, as a model calls it. */
export const mcpPlayer: RelayPlayer = {
  calls: [
    {
      name: 'MCP: list_events',
      platform: 'node:http',
      route: { method: 'GET', path: /^\/events(\?|$)/ },
      patience: { attempts: 4, maxWaitMs: 45_000, timeoutMs: 30_000, deadlineMs: 50_000 },
      async play(world) {
        const [input, output] = [new PassThrough(), new PassThrough()];
        const stopped = new AbortController();
        let log = '';
        const ended = run([], {
          version: '1.2.3',
          env: { ...service, ...relayEnvironment(world.baseUrl, world.key) },
          input,
          output,
          writeError: (text) => {
            log += text;
          },
          stop: stopped.signal,
          clock: { ...world.clock },
        });
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(new StdioServerTransport(output, input));
        world.strike();
        const { text, isError } = await callTool(client, 'list_events');
        await client.close();
        stopped.abort();
        await ended;
        // A model reads records as they are, so only what is said about a failure counts.
        const shown = [log, isError && text];
        return { ends: isError ? 'fails' : 'works', text, isTyped: true, shown };
      },
    },
  ],
};
