import { escapeInvisible } from '@screen-advertising/core/platform';
import { RelayError } from '../../base/relay-error.ts';
import { createLog } from '../../operate/log.ts';
import { commandLine } from '../../page/sign-in.ts';
import { shownName } from '../../page/values.ts';
import { createRelay } from '../create-relay.ts';
import type { Relay, RelayOptions } from '../relay.ts';
import type { Settings, Terminal } from './settings.ts';

/**
 * Runs the relay until it gets the stop signal. People read stdout; the log goes to stderr: as JSON, or
 * on a terminal in lines for people, one for each event and each attempt.
 */
export async function serveRelay(
  settings: Settings,
  withSandbox: boolean,
  { write, writeError, stop, isSeen, isLogSeen }: Terminal,
): Promise<void> {
  const { options, port, host, sandboxPort } = settings;
  const { logLevel = isLogSeen ? 'debug' : 'info' } = settings;
  const writeLog = isLogSeen ? (line: string) => writeError(terminalLine(line)) : writeError;
  const log = createLog(logLevel, writeLog, secretsOf(options));
  const ofSandbox = isLogSeen ? (line: string) => writeError(`${line}\n`) : undefined;
  const sandbox = withSandbox ? await startSandbox(sandboxPort, ofSandbox) : undefined;
  let relay: Relay | undefined;
  try {
    relay = await createRelay({
      ...options,
      log,
      ...(sandbox && { allowTargets: [...(options.allowTargets ?? []), ...loopback] }),
    });
    const { url, metricsUrl } = await relay.listen(port, host);
    log.info({ url, metrics_url: metricsUrl, role: options.role }, 'Listening');
    // When the work is split over several processes, there is no reader.
    if (options.role === 'all') {
      await welcome(relay, url, settings, { sandbox, isSeen: isSeen && !isInImage }).then(
        write,
        (error: unknown) => log.error({ err: error }, unprinted),
      );
    }
    if (!stop.aborted) {
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    }
    log.info({}, 'Stopping');
  } finally {
    await relay?.close();
    await sandbox?.stop();
    log.info({}, 'Stopped');
  }
}

/** In a container, no key press ends the relay, and others may read its output. */
const isInImage = commandLine === 'relay';

/** A relay that receives events does not stop because a text cannot be written. */
const unprinted =
  'The relay runs, but could not print its addresses. Restart it to print them. If it then shows no connector key, create one with "tokens create".';

function secretsOf({
  secretKey = '',
  adminToken = '',
  databaseUrl = '',
  proxy,
}: RelayOptions): string[] {
  const passwords = [databaseUrl, proxy?.url ?? ''].map((url) => URL.parse(url)?.password ?? '');
  return [...secretKey.split(','), adminToken, ...passwords.map(decodeURIComponent)]
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= minSecret);
}

/** A shorter one may well be a word of an honest message. */
const minSecret = 8;

const loopback = ['localhost', '127.0.0.0/8', '::1'];

async function welcome(
  relay: Relay,
  url: string,
  { options, publicUrl = url }: Settings,
  { sandbox, isSeen }: { readonly sandbox: RunningSandbox | undefined; readonly isSeen: boolean },
): Promise<string> {
  const known = await relay.sources.list();
  const first = sandbox ? 'sandbox' : 'main';
  const isDesired = sandbox !== undefined || known.length === 0;
  const connectorKey = isDesired
    ? await addFirstSource(relay, first, { signingSecret: sandbox?.signingSecret, isSeen })
    : undefined;
  sandbox?.register(`${url}/in/${first}`);
  const sources = await relay.sources.list();
  return banner({
    url: publicUrl,
    sources: sandbox ? sources.filter(({ name }) => name === first) : sources,
    page: isSeen ? await relay.signInLink(publicUrl) : `${publicUrl}/`,
    isSeen,
    connectorKey,
    sandbox: sandbox?.url,
    dataDir: options.databaseUrl === undefined ? options.dataDir : undefined,
  });
}

/**
 * Creates the first source, which waits for its signing secret if there is none yet, and a connector
 * key, unless the source exists. Returns the key, which cannot be read again. Without a terminal there
 * is none, since it would stay in a log.
 */
async function addFirstSource(
  { sources, tokens }: Relay,
  name: string,
  {
    signingSecret,
    isSeen,
  }: { readonly signingSecret: string | undefined; readonly isSeen: boolean },
): Promise<string | undefined> {
  try {
    await sources.add(name, signingSecret);
  } catch (error) {
    // The source exists, or another process that started at the same moment created it.
    if (error instanceof RelayError && error.code === 'conflict') return undefined;
    throw error;
  }
  return isSeen ? (await tokens.create(name, 'first')).connectorKey : undefined;
}

interface Served {
  /** Where other machines reach the relay. */
  readonly url: string;
  readonly sources: readonly { readonly name: string; readonly awaits_secret: boolean }[];
  /** The operator's page, signed in if the output is a terminal. */
  readonly page: string;
  readonly isSeen: boolean;
  /** Where its own PostgreSQL keeps its data. */
  readonly dataDir: string | undefined;
  readonly connectorKey: string | undefined;
  readonly sandbox: string | undefined;
}

/** A first-time user needs most of it. Later starts print addresses, and what is still to do. */
function banner(served: Served): string {
  const { url, sources, connectorKey, sandbox } = served;
  const source = sources[0]?.name ?? 'main';
  const unregistered = sources.find(({ awaits_secret }) => awaits_secret);
  const places: readonly (readonly [name: string, place: string | undefined])[] = [
    ['API', `${url}/api/v1`],
    ['Page', served.page],
    ...sources.map(({ name }) => ['Ingress', `${url}/in/${name}`] as const),
    ['Sandbox', sandbox],
    ['Data', served.dataDir],
  ];
  const lines = places.flatMap(([name, place]) =>
    place === undefined ? [] : [`${name.padEnd(9)}${place}\n`],
  );
  const paragraphs = [
    connectorKey !== undefined && firstKey(connectorKey, url),
    unregistered && registration(unregistered.name),
    sandbox !== undefined && trial(sandbox, source),
    !served.isSeen && `Print a link that signs in to the page:\n  ${commandLine} sign-in\n`,
    `Create ${served.isSeen ? 'another' : 'a'} connector key:\n  ${commandLine} tokens create ${source} NAME\n`,
    !isInImage && 'Stop with Ctrl-C.\n',
  ].filter(Boolean);
  return `Screen Advertising relay
${lines.join('')}
${paragraphs.join('\n')}`;
}

function firstKey(key: string, url: string): string {
  return `Connector key (shown only once). Paste it into a connector with the address ${url}:
  ${key}
`;
}

function registration(source: string): string {
  return `Not registered yet? Send the ingress address to the Screen Advertising team, and add the signing
secret from their reply. Until then, the relay rejects deliveries:
  ${commandLine} sources rotate ${source} < secret.txt
`;
}

function trial(sandbox: string, source: string): string {
  const command = commandLine.replace(/relay$/, 'sandbox');
  const { port } = new URL(sandbox);
  return `The sandbox delivers to the source "${source}". Fire an event on its page, ${sandbox},
or with:
  ${command} fire campaign_request.rejected${port === '8787' ? '' : ` --port ${port}`}
`;
}

type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** The access whose events it delivers. */
const access = 'full';

/** Runs the sandbox in this process. The relay does not depend on it, so it may not be installed. */
export async function startSandbox(port: number, log?: (line: string) => void) {
  const { createSandbox } = await import('@screen-advertising/sandbox').catch((cause) => {
    throw new RelayError(
      'configuration',
      'The sandbox is not installed. Install it with: npm install @screen-advertising/sandbox',
      { cause },
    );
  });
  const sandbox = createSandbox({ ...(log && { log }) });
  const { url } = await sandbox.listen(port).catch((cause) => {
    throw new RelayError(
      'configuration',
      `The sandbox did not start on port ${port}. Set SANDBOX_PORT to another, or to 0 for a free one.`,
      { cause },
    );
  });
  return {
    url,
    signingSecret: sandbox.accesses.find(({ id }) => id === access)?.signingSecret ?? '',
    /** Has every event delivered to this address. */
    register: (ingress: string) => void sandbox.webhooks.add({ url: ingress, access }),
    stop: () => sandbox.close(),
  };
}

/** The fields of a line of the log, which depend on what happened. */
interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly result?: string;
  readonly source?: string;
  readonly type?: string;
  readonly to?: string;
  readonly attempt?: number;
  readonly status?: number | null;
  readonly error?: string | null;
  readonly reason?: string | null;
  readonly duration_ms?: number;
  readonly url?: string;
}

/** A line of the log as a person reads it on a terminal: what happened, to which event, and where. */
export function terminalLine(json: string): string {
  const line: Line = JSON.parse(json);
  const { level, time, msg, type, to, url } = line;
  const words = [
    inColumn(`${['warn', 'error'].includes(level) ? `${level}: ` : ''}${msg}`, 22),
    type && inColumn(type, 24),
    to && `to ${shownName(to)}`,
    outcomeOf(line),
    url,
  ];
  return `${time.slice(11, 19)}  ${words.filter(Boolean).join('  ').trimEnd()}\n`;
}

function inColumn(text: string, width: number): string {
  return escapeInvisible(text).padEnd(width);
}

function outcomeOf(line: Line): string | undefined {
  const { result, source, attempt, status, error, reason, duration_ms: ms } = line;
  if (result !== undefined)
    return `${source === undefined ? '' : `at ${source}: `}${result}, ${ms} ms`;
  if (attempt === undefined) return undefined;
  const response = error ?? (reason === null ? status : `${status}, ${reason}`);
  return `${escapeInvisible(String(response))}, ${ms} ms${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}
