import { Client, type Pool, type PoolClient } from 'pg';
import { DatabaseUrlError, poolUses, readDatabaseUrl } from '../../base/database.ts';
import { RelayError } from '../../base/relay-error.ts';

/** Beside others, two sessions may get the same connections by chance. */
const rounds = 10;
const maxWaitMs = 5_000;

/**
 * Rejects if a pooler lends connections for one transaction at a time: LISTEN and session settings
 * would get lost, and named statements would meet those of others.
 */
export async function checkPooling(pool: Pool, connectionString: string): Promise<void> {
  const first = await pool.connect();
  try {
    if ((await backendOf(first)) === announcedTo(first)) return;
  } finally {
    first.release();
  }
  const config = { ...readDatabaseUrl(connectionString), query_timeout: maxWaitMs };
  const open = () => new Client(config);
  const [session, other] = [open(), open()];
  try {
    for (const client of [session, other]) {
      client.on('error', () => undefined);
      await client.connect();
    }
    for (let round = 0; round < rounds; round += 1) {
      if (await share(session, other)) throw fault('transaction', connectionString);
    }
  } catch (error) {
    if (/statement pooling/.test(String(error))) throw fault('statement', connectionString);
    if (/timeout/.test(String(error))) throw tooFew(error);
    throw error;
  } finally {
    await Promise.all([session, other].map((client) => client.end().catch(() => undefined)));
  }
}

/** Whether the connection of an idle session was lent to another one. */
async function share(session: Client, other: Client): Promise<boolean> {
  const before = await backendOf(session);
  await other.query('BEGIN');
  try {
    if ((await backendOf(other)) === before) return true;
    return (await backendOf(session)) !== before;
  } finally {
    await other.query('ROLLBACK');
  }
}

async function backendOf(client: Client | PoolClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/** The number that the server said when the session began. A pooler says another. */
function announcedTo(client: Client | PoolClient): number | undefined {
  return (client as { processID?: number }).processID;
}

function fault(mode: 'transaction' | 'statement', connectionString: string): DatabaseUrlError {
  return new DatabaseUrlError(
    `leads to a connection pooler in ${mode} mode, where LISTEN and session settings do not last. ${unpooledAddressHint(connectionString)}`,
  );
}

function tooFew(cause: unknown): DatabaseUrlError {
  const used = Object.values(poolUses).reduce((sum, { most }) => sum + most, 0);
  return new DatabaseUrlError(
    `leads to a connection pooler that has too few connections left. A process of the relay needs ${used + 1}`,
    cause,
  );
}

/** Neon names its poolers so; Supabase has its session mode at the usual port. */
export function unpooledAddressHint(connectionString: string): string {
  const { host, port } = new Client(readDatabaseUrl(connectionString));
  const direct = host.replace(/^([^.]+)-pooler\./, '$1.');
  if (direct !== host) return `Take the direct host, ${direct}`;
  if (port === 6543) return 'Take port 5432 of the same host';
  return 'Take the direct address of the database, or session mode';
}

/** Names the part of DATABASE_URL that a failed start points to. Returns other errors unchanged. */
export function explainFailure(error: unknown, databaseUrl: string): unknown {
  if (error instanceof RelayError) return error;
  const what = whatFailed(error as NodeJS.ErrnoException, databaseUrl);
  return what === undefined ? error : new DatabaseUrlError(what, error);
}

function whatFailed(
  { code = '', message = '' }: Partial<NodeJS.ErrnoException>,
  databaseUrl: string,
): string | undefined {
  const { host, port, user, database } = new Client(readDatabaseUrl(databaseUrl));
  const place = host.startsWith('/') ? host : `${host}, port ${port}`;
  const why = code === '' ? '' : ` (${code})`;
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return `names the host "${host}", which has no address${why}`;
  }
  if (/^E(?:NOENT|CONN|HOST|NET|TIMEDOUT)/.test(code) || /timeout|terminated/.test(message)) {
    return `leads to ${place}, where no PostgreSQL responds${why}`;
  }
  if (/not support SSL/.test(message)) {
    return `asks for TLS, which ${place} does not offer. In a private network, set sslmode=disable`;
  }
  if (/no encryption|SSL required|insecure/i.test(message)) {
    return `leads to ${place}, which accepts only TLS. Add sslmode=verify-full`;
  }
  if (/^28/.test(code) || /SASL/.test(message)) {
    return `gives the user "${user}", whom PostgreSQL rejects: check name and password${why}`;
  }
  if (code === '3D000') {
    return `names the database "${database}", which does not exist${why}`;
  }
  if (code === '42501') return `gives the user "${user}", who lacks a right: ${message}${why}`;
  if (code === '53300') {
    return `leads to ${place}, which has no connection left for a process of the relay${why}`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `names the host "${host}", but the certificate there is for another${why}`;
  }
  if (/^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) {
    return `leads to ${place}, whose certificate no known authority signed${why}. Add sslrootcert=FILE with your provider's certificate authority`;
  }
  if (/^(?:CERT_|ERR_TLS|ERR_SSL|ERR_OSSL)/.test(code) || /SSL/.test(message)) {
    return `has TLS settings that fail: ${message}${why}. Check sslmode`;
  }
  return undefined;
}
