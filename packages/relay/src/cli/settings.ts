import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RelayOptions } from '../options.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const roles = ['ingress', 'sender', 'all'] as const;
export const defaultPort = 8788;
const largestPort = 65_535;

export interface Settings {
  readonly options: RelayOptions;
  readonly host: string;
  readonly port: number;
  /** Where the service reaches the relay, without a slash at its end. */
  readonly publicUrl: string | undefined;
}

/** What the environment says. Throws a UsageError that names the variable at fault. */
export function readSettings(environment: Environment): Settings {
  const given = (name: string) => environment[name]?.trim() || undefined;
  const role = given('RELAY_ROLE') ?? 'all';
  if (!isRole(role)) {
    throw new UsageError(`RELAY_ROLE is ${roles.join(', ')}; "${role}" is none of them.`);
  }
  const databaseUrl = given('DATABASE_URL');
  const secretKey = given('RELAY_SECRET_KEY');
  const adminToken = given('RELAY_ADMIN_TOKEN');
  const publicUrl = publicUrlOf(given('PUBLIC_URL'));
  return {
    host: given('HOST') ?? '127.0.0.1',
    port: portOf(given('PORT') ?? String(defaultPort)),
    publicUrl,
    options: {
      role,
      dataDir: given('RELAY_DATA_DIR') ?? defaultDataDir(),
      allowTargets: (given('RELAY_ALLOW_TARGETS') ?? '')
        .split(',')
        .filter((entry) => entry.trim() !== ''),
      ...(databaseUrl && { databaseUrl }),
      ...(secretKey && { secretKey }),
      ...(adminToken && { adminToken }),
      ...(publicUrl && { publicUrl }),
    },
  };
}

/** PostgreSQL's user may not enter root's own folder. */
function defaultDataDir(isRoot = process.getuid?.() === 0): string {
  return isRoot
    ? '/var/lib/screen-advertising-relay'
    : join(homedir(), '.screen-advertising-relay');
}

function isRole(text: string): text is (typeof roles)[number] {
  return roles.some((role) => role === text);
}

function portOf(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= largestPort) return port;
  throw new UsageError(`PORT takes a whole number from 0 to ${largestPort}; "${text}" came.`);
}

function publicUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.parse(text)?.protocol.match(/^https?:$/)) return text.replace(/\/+$/, '');
  throw new UsageError(
    `PUBLIC_URL takes an address such as https://relay.example.com; "${text}" came.`,
  );
}
