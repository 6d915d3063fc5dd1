import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultRetentionDays } from '../../log/prune.ts';
import { logLevels } from '../../operate/log.ts';
import { publicUrlFault } from '../resources.ts';

/** Input and output of the program. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** False if what it writes goes to a log or another program, where keys would stay. */
  readonly isSeen: boolean;
  /** Whether a person reads what it writes as errors, such as the log. */
  readonly isLogSeen: boolean;
  readonly readInput: () => Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user wants to stop. */
  readonly stop: AbortSignal;
}

/** The command line or an environment variable is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Every setting, for the help and the guide. */
export const environmentSettings = {
  DATABASE_URL: 'PostgreSQL to use (its own, in RELAY_DATA_DIR)',
  RELAY_DATA_DIR:
    'Folder for its own PostgreSQL and key file (~/.screen-advertising-relay; as root /var/lib/screen-advertising-relay)',
  RELAY_SECRET_KEY:
    'Key that encrypts secrets in the database, 32 bytes in base64 (secret.key in RELAY_DATA_DIR, created on the first start)',
  RELAY_ADMIN_TOKEN:
    "Token to sign in to the operator's page, at least 24 characters (admin.token in RELAY_DATA_DIR, created on the first start)",
  RELAY_ROLE: 'ingress, sender, or all for both (all)',
  RELAY_ALLOW_TARGETS:
    'Hosts, addresses, and networks, separated by commas, that deliveries can go to in addition to public https addresses',
  RELAY_RETENTION_DAYS: 'Days to keep events for replays (30)',
  RELAY_PROBLEM_URL:
    "Address that gets a signed POST about problems, such as a chat's webhook (none)",
  RELAY_METRICS_PORT: 'Private port for /metrics, which then is on no other port (PORT)',
  HTTPS_PROXY:
    'Proxy for deliveries, except to RELAY_ALLOW_TARGETS. It resolves their names, so it must refuse private addresses (none)',
  NO_PROXY: 'Hosts, separated by commas, that deliveries reach without HTTPS_PROXY (none)',
  PUBLIC_URL: 'Public address of the relay (the address it listens on)',
  HOST: 'Address to listen on (127.0.0.1)',
  PORT: 'Port to listen on, 0 for a free one (8788)',
  LOG_LEVEL: 'silent, error, warn, info, or debug (info; on a terminal, debug)',
  SANDBOX_PORT: 'Port of the --with-sandbox sandbox, 0 for a free one (8787)',
} as const;

type Setting = keyof typeof environmentSettings;

const indent = `\n${' '.repeat(23)}`;

/** As the help shows them, in lines of at most 100 characters. */
export function environmentLines(): string {
  return Object.entries(environmentSettings)
    .map(([name, does]) => {
      const lines = does.match(/\S.{0,75}(?= |$)/g) ?? [];
      return `  ${name.padEnd(21)}${lines.join(indent)}\n`;
    })
    .join('');
}

const roles = ['ingress', 'sender', 'all'] as const;
const defaultPort = 8788;
const maxPort = 65_535;

export type Settings = ReturnType<typeof readSettings>;

/** Reads the environment. Throws a UsageError that names the invalid variable. */
export function readSettings(environment: Terminal['environment']) {
  const given = (name: Setting) => environment[name]?.trim() || undefined;
  const role = oneOf('RELAY_ROLE', roles, given('RELAY_ROLE') ?? 'all');
  const level = given('LOG_LEVEL');
  const databaseUrl = given('DATABASE_URL');
  const secretKey = given('RELAY_SECRET_KEY');
  const adminToken = given('RELAY_ADMIN_TOKEN');
  const problemUrl = given('RELAY_PROBLEM_URL');
  const publicUrl = publicUrlOf(given('PUBLIC_URL'));
  const metricsPort = given('RELAY_METRICS_PORT');
  const proxyUrl = proxyUrlOf(given('HTTPS_PROXY'));
  return {
    host: given('HOST') ?? '127.0.0.1',
    port: portOf('PORT', given('PORT') ?? String(defaultPort)),
    sandboxPort: portOf('SANDBOX_PORT', given('SANDBOX_PORT') ?? '8787'),
    logLevel: level === undefined ? undefined : oneOf('LOG_LEVEL', logLevels, level),
    publicUrl,
    options: {
      role,
      dataDir: given('RELAY_DATA_DIR') ?? defaultDataDir(),
      allowTargets: listOf(given('RELAY_ALLOW_TARGETS')),
      ...(databaseUrl && { databaseUrl }),
      ...(secretKey && { secretKey }),
      retentionDays: retentionDaysOf(given('RELAY_RETENTION_DAYS')),
      ...(adminToken && { adminToken }),
      ...(publicUrl && { publicUrl }),
      ...(problemUrl && { problemUrl }),
      ...(metricsPort && { metricsPort: portOf('RELAY_METRICS_PORT', metricsPort) }),
      ...(proxyUrl && { proxy: { url: proxyUrl, except: listOf(given('NO_PROXY')) } }),
    },
  };
}

/** PostgreSQL's user cannot enter root's home folder. */
function defaultDataDir(isRoot = process.getuid?.() === 0): string {
  return isRoot
    ? '/var/lib/screen-advertising-relay'
    : join(homedir(), '.screen-advertising-relay');
}

function oneOf<Word extends string>(name: Setting, words: readonly Word[], text: string): Word {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  throw new UsageError(`${name} must be one of ${words.join(', ')}, not "${text}".`);
}

function portOf(name: Setting, text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= maxPort) return port;
  throw new UsageError(`${name} must be a whole number from 0 to ${maxPort}, not "${text}".`);
}

function retentionDaysOf(text = String(defaultRetentionDays)): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1) return days;
  throw new UsageError(
    `RELAY_RETENTION_DAYS must be a whole number from 1 to 99999, not "${text}".`,
  );
}

function listOf(text = ''): string[] {
  return text.split(',').filter((entry) => entry.trim() !== '');
}

function proxyUrlOf(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new UsageError('HTTPS_PROXY must be a URL such as http://proxy.example.com:3128.');
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const fault = publicUrlFault(text);
  if (fault !== undefined) throw new UsageError(fault);
  return text.replace(/\/+$/, '');
}
