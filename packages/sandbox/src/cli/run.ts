import { writeFile } from 'node:fs/promises';
import { isLoopbackHost, loopbackAddress } from '@screen-advertising/server-kit';
import { CommanderError } from 'commander';
import { credentialsOf, type PartnerAccess } from '../access/access.ts';
import { createSandbox } from '../create-sandbox.ts';
import type { Sandbox } from '../sandbox.ts';
import { openApiDocument } from '../service/openapi.ts';
import { definedFields } from '../state/records.ts';
import type { Delivery } from '../state/stored-records.ts';
import {
  createCommandLine,
  defaultPort,
  type FireOptions,
  type Output,
  type ServeOptions,
} from './program.ts';

interface Terminal extends Output {
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** Runs a command line and resolves with the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const { write, writeError } = terminal;
  const root = createCommandLine(
    {
      serve: (options) => serve(options, terminal),
      fire: async (event, options) => write(await fireInRunning(event, options)),
      async openapi({ out }) {
        const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
        await (out === undefined ? write(text) : writeFile(out, text));
      },
    },
    terminal,
  );
  try {
    await root.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    writeError(`${messageOf(error)}\n`);
    return 1;
  }
}

async function serve(
  { port, host, allowHost, state, variant, rateLimit, frozen, latency, ...more }: ServeOptions,
  { write, writeError, stop }: Terminal,
): Promise<void> {
  const options = {
    ...more,
    allowHosts: allowHost,
    stateFile: state,
    variants: variant,
    rateLimit: rateLimit === undefined ? undefined : { requests: rateLimit },
    latencyMs: latency,
    clock: frozen && ('frozen' as const),
  };
  const sandbox = createSandbox({
    ...definedFields(options),
    warn: (message) => writeError(`${message}\n`),
    log: (line) => write(`${line}\n`),
  });
  try {
    const served = await sandbox.listen({ port, host });
    write(startBanner(sandbox, { ...served, host, allowAdmin: more.allowAdmin }));
    if (!stop.aborted) {
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    }
  } finally {
    await sandbox.close();
  }
}

function messageOf(error: unknown): string {
  const { code, port, address, hostname, message } = error as ListenError;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use. Choose another with --port, or use --port 0 for a free one.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `--host ${address ?? hostname} is not an address of this machine. Use 0.0.0.0 for all of its addresses, or leave out --host.`;
  }
  return message;
}

type ListenError = NodeJS.ErrnoException &
  Partial<Record<'address' | 'hostname' | 'port', string | number>>;

interface Served {
  readonly url: string;
  readonly baseUrl: string;
  /** The host that it listens on. */
  readonly host: string;
  readonly allowAdmin?: boolean | undefined;
}

/** How a clone or an installed package starts a program. */
const command = import.meta.url.endsWith('.ts')
  ? 'npx -y pnpm@12 run '
  : 'npx @screen-advertising/';

/** Shows a new user how to make a first request and fire a first event. */
export function startBanner(
  { accesses }: Sandbox,
  { url, baseUrl, host, allowAdmin = false }: Served,
): string {
  return `Screen Advertising sandbox
Base URL  ${baseUrl}
Page      ${url}
${isLoopbackHost(host) ? '' : exposure(host, baseUrl, allowAdmin)}
Demo credentials, valid only in this sandbox:
${accesses.map(accessLines).join('\n\n')}

Try a request:
  curl -H 'Authorization: Bearer ${accesses[0].apiKey}' '${baseUrl}/screens?limit=1'

The same request on the command line:
  export SCREEN_ADVERTISING_BASE_URL=${baseUrl}
  export SCREEN_ADVERTISING_API_KEY=${accesses[0].apiKey}
  ${command}cli call screen.list --city Berlin --table

Register a webhook address, then fire an event:
  curl -H 'Content-Type: application/json' -d '{"url": "http://127.0.0.1:9000/"}' ${url}/_sandbox/webhooks
  ${command}sandbox fire campaign_request.rejected${portOption(url)}

Stop with Ctrl-C.
`;
}

function portOption(url: string): string {
  const { port } = new URL(url);
  return port === String(defaultPort) ? '' : ` --port ${port}`;
}

/** Warns if other machines can reach the sandbox. */
function exposure(host: string, baseUrl: string, allowAdmin: boolean): string {
  const { port, pathname } = new URL(baseUrl);
  return `
Other machines can reach this sandbox: it listens on ${host}, and its credentials are public.
The page and /_sandbox respond to ${allowAdmin ? 'the name localhost' : 'this machine'} only.
From a container on this machine  http://host.docker.internal:${port}${pathname}
`;
}

function accessLines(access: PartnerAccess): string {
  const lines = credentialsOf(access).map(([name, value]) => `    ${name.padEnd(16)}${value}`);
  return [`  ${access.id}: ${access.name}`, ...lines].join('\n');
}

/** Fires an event in a sandbox that is already running, and says where it was delivered. */
async function fireInRunning(type: string, { port, data, access }: FireOptions): Promise<string> {
  const page = `http://${loopbackAddress}:${port}`;
  const response = await fetch(`${page}/_sandbox/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type, data, access }),
  }).catch((cause: Error) => {
    const message = `No sandbox responds at ${page}. Start one, or choose its port: the sandbox of "run n8n" is on --port 8780.`;
    throw new Error(message, { cause });
  });
  const body = (await response.json()) as { detail?: string; data: readonly Delivery[] };
  if (!response.ok) throw new Error(body.detail);
  const lines = body.data.map(({ url, attempts: [attempt] }) => {
    return `  ${attempt?.status ?? attempt?.error ?? 'pending'}  ${url}\n`;
  });
  const nowhere = `  Not delivered: the access has no webhook address. Register one at ${page}\n`;
  return `Fired ${type}.\n${lines.join('') || nowhere}`;
}
