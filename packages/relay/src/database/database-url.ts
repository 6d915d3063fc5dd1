import { RelayError } from '../relay-error.ts';
import { DatabaseUrlError } from './database-url-error.ts';

const spelling =
  'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, and percent-encode special characters in USER and PASSWORD: @ as %40, / as %2F, # as %23, ? as %3F, % as %25';

/** Throws a RelayError without any part of the text that may belong to the password. */
export function checkDatabaseUrl(text: string): void {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0].toLowerCase();
  if (scheme !== 'postgres://' && scheme !== 'postgresql://') {
    const given = scheme === undefined ? '' : `, not with ${scheme}`;
    throw new DatabaseUrlError(`must start with postgres:// or postgresql://${given}`);
  }
  const url = parse(text);
  // Otherwise a password with "/", "?" or "#" would end the host, and the rest would be a database.
  const isCutShort =
    url && (url.hash !== '' || /@/.test(url.pathname) || /^\?[^=]*@/.test(url.search));
  if (!url || isCutShort) {
    throw new DatabaseUrlError(`is not a valid address. ${spelling}`);
  }
}

/** Names the part of DATABASE_URL that a failed start points to. Returns other errors unchanged. */
export function explain(error: unknown, databaseUrl: string): unknown {
  if (error instanceof RelayError || !parse(databaseUrl)) return error;
  const what = whatFailed(error as NodeJS.ErrnoException, parseDatabaseUrl(databaseUrl));
  return what === undefined ? error : new DatabaseUrlError(what, error);
}

function whatFailed(
  { code = '', message = '' }: Partial<NodeJS.ErrnoException>,
  url: URL,
): string | undefined {
  const read = (name: string, part: string) =>
    url.searchParams.get(name) ?? decodeURIComponent(part);
  const host = read('host', url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const place = host.startsWith('/') ? host : `${host}, port ${read('port', url.port) || '5432'}`;
  const user = `the user "${read('user', url.username)}"`;
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
    return `gives ${user}, whom PostgreSQL rejects: check name and password${why}`;
  }
  if (code === '3D000') {
    const name = decodeURIComponent(url.pathname.slice(1));
    return `names the database "${name}", which does not exist${why}`;
  }
  if (code === '42501') return `gives ${user}, who lacks a right: ${message}${why}`;
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

/** For an address that `checkDatabaseUrl` accepted. */
export function parseDatabaseUrl(text: string): URL {
  return parse(text) ?? new URL(text);
}

/** Accepts a URL without a host, as sockets have it. */
function parse(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
}
