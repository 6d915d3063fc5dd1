import { once, setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import {
  type Clock,
  ConfigurationError,
  createClient,
  nodeTransport,
} from '@screen-advertising/core';
import { couponKeyOrSecret, withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { accessVariables, readAccess, systemClock } from '@screen-advertising/core/platform';
import { createRelayClient, readRelayAccess, relayVariables } from '@screen-advertising/core/relay';
import { listTools, relayEventsTool } from './list-tool.ts';
import { operationTools } from './operation-tool.ts';
import { serverFactory } from './server.ts';
import type { Tool } from './tool.ts';

interface Terminal {
  readonly version: string;
  readonly env: Environment;
  readonly input: Readable;
  readonly output: Writable;
  /** For people, on the error output: the protocol owns the standard output. */
  readonly writeError: (text: string) => void;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
  /** Default: this machine's. */
  readonly clock?: Clock;
}

/** Serves until the client or the user stops it; resolves with the exit code. */
export async function runMcpServer(args: readonly string[], terminal: Terminal): Promise<number> {
  // One tool call may send many requests, and each of them listens for cancellation.
  setMaxListeners(100);
  try {
    await serve(args, terminal);
    return 0;
  } catch (error) {
    terminal.writeError(`${(error as Error).message}\n`);
    return 1;
  }
}

async function serve(args: readonly string[], terminal: Terminal): Promise<void> {
  const { version, env, input, output, writeError, stop } = terminal;
  const settings = readCommandLine(args);
  const stopped = stop.aborted || once(stop, 'abort');
  if (settings.help) return void output.write(help);
  const sandbox = settings['with-sandbox'] ? await startSandbox() : undefined;
  try {
    if (sandbox) writeError(`Sandbox page: ${sandbox.url}\n`);
    const tools = toolsOf(sandbox?.env ?? env, terminal).filter(
      ({ annotations }) => !settings['read-only'] || annotations.readOnlyHint,
    );
    const { clock = systemClock } = terminal;
    const transport = new StdioServerTransport(input, output);
    const handle = serveStdio(serverFactory(tools, version, clock), { transport });
    await Promise.race([stopped, once(input, 'close')]);
    await handle.close();
  } finally {
    await sandbox?.close();
  }
}

/** `access` says how to reach the service: the environment, or a sandbox. */
function toolsOf(access: Environment, { version, env, clock }: Terminal): Tool[] {
  // Clients give up after 60 s. A model does better with an error that says when to retry.
  const options = {
    retry: { maxWaitMs: 45_000 },
    userAgent: `screen-advertising-mcp/${version}`,
    ...(clock && { transport: { ...nodeTransport(), clock } }),
  };
  const known = readAccess(access);
  const key = couponKeyOrSecret(access[accessVariables.couponKey], known.auth);
  const client = withLeadCoupons(createClient({ ...known, ...options }), key);
  const relay = readRelayAccess(env);
  return [
    ...operationTools(client),
    ...listTools(client, known.rateLimit),
    ...(relay ? [relayEventsTool(createRelayClient({ ...relay, ...options }))] : []),
  ];
}

/** Starts a sandbox. It is a separate package, needed only with this option. */
async function startSandbox() {
  const { createSandbox } = await import('@screen-advertising/sandbox').catch(missing);
  const sandbox = createSandbox();
  const { url, baseUrl } = await sandbox.listen();
  const [{ apiKey }] = sandbox.accesses;
  return {
    /** Its page in the browser. */
    url,
    /** The environment variables that select its first access. */
    env: { [accessVariables.baseUrl]: baseUrl, [accessVariables.apiKey]: apiKey },
    close: () => sandbox.close(),
  };
}

function missing(): never {
  const words =
    '--with-sandbox needs Node 22 or newer and the package @screen-advertising/sandbox. Install it next to this one.';
  throw new ConfigurationError('with-sandbox', words);
}

type Environment = Readonly<Record<string, string | undefined>>;

const help = `Usage: screen-advertising-mcp [options]

An MCP server for the Screen Advertising service, over standard input and output.

  --read-only     offers no tools that create or revoke
  --with-sandbox  starts a sandbox and uses it
  -h, --help      shows this help

Environment variables (arguments would show in process lists):
  ${Object.values(accessVariables).join('\n  ')}
  ${Object.values(relayVariables).join('\n  ')}, for the events that a relay stored
`;

const known = {
  help: { type: 'boolean', short: 'h' },
  'read-only': { type: 'boolean' },
  'with-sandbox': { type: 'boolean' },
} as const;

/** Parses the command line. Throws ConfigurationError that says what to write instead. */
export function readCommandLine(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch {
    // Node's message quotes what was typed, which may be a secret in the wrong place.
    throw new ConfigurationError('arguments', 'Unknown argument. Run with --help for usage.');
  }
}
