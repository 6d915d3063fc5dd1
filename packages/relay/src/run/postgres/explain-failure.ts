import { Client } from 'pg';
import { DatabaseUrlError, readDatabaseUrl } from '../../base/database.ts';
import { RelayError } from '../../base/relay-error.ts';

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
