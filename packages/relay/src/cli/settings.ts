import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultRetentionDays } from '../maintenance/retention.ts';
import { type LogLevel, logLevels } from '../observe/log.ts';
import { publicUrlFault } from '../operator/public-url.ts';
import type { RelayOptions } from '../options.ts';
import { type Terminal, UsageError } from './command.ts';
import type { Setting } from './environment.ts';

const roles = ['ingress', 'sender', 'all'] as const;
export const defaultPort = 8788;
const largestPort = 65_535;

export interface Settings {
  readonly options: RelayOptions;
  readonly host: string;
  readonly port: number;
  /** Where the service reaches the relay, without a trailing slash. */
  readonly publicUrl: string | undefined;
  readonly logLevel: LogLevel;
  readonly sandboxPort: number;
}

/** Reads the environment. Throws a UsageError that names the invalid variable. */
export function readSettings(environment: Terminal['environment']): Settings {
  const given = (name: Setting) => environment[name]?.trim() || undefined;
  const role = given('RELAY_ROLE') ?? 'all';
  if (!isOneOf(roles, role)) throw noneOf('RELAY_ROLE', roles, role);
  const logLevel = given('LOG_LEVEL') ?? 'info';
  if (!isOneOf(logLevels, logLevel)) throw noneOf('LOG_LEVEL', logLevels, logLevel);
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
    logLevel,
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

function isOneOf<const Word extends string>(words: readonly Word[], text: string): text is Word {
  return words.some((word) => word === text);
}

function noneOf(name: Setting, words: readonly string[], text: string): UsageError {
  return new UsageError(`${name} must be one of ${words.join(', ')}, not "${text}".`);
}

function portOf(name: Setting, text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= largestPort) return port;
  throw new UsageError(`${name} must be a whole number from 0 to ${largestPort}, not "${text}".`);
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
