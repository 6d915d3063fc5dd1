import { RelayError } from '../relay-error.ts';

const spelling =
  'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, and percent-encode special characters in USER and PASSWORD: @ as %40, / as %2F, # as %23, ? as %3F, % as %25.';

/** Throws a RelayError without any part of the text that may belong to the password. */
export function checkDatabaseUrl(text: string): void {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0].toLowerCase();
  if (scheme !== 'postgres://' && scheme !== 'postgresql://') {
    const given = scheme === undefined ? '' : `, not with ${scheme}`;
    throw fault(`must start with postgres:// or postgresql://${given}`);
  }
  const url = parse(text);
  // Otherwise a password with "/", "?" or "#" would end the host, and the rest would be a database.
  const isCutShort =
    url && (url.hash !== '' || /@/.test(url.pathname) || /^\?[^=]*@/.test(url.search));
  if (!url || isCutShort) {
    throw new RelayError('configuration', `DATABASE_URL is not a valid address. ${spelling}`);
  }
}

/** Names the part of DATABASE_URL that a failed start points to. Returns other errors unchanged. */
export function explain(error: unknown, databaseUrl: string): unknown {
  const url = parse(databaseUrl);
  const { code = '', message = '', syscall } = error as Partial<NodeJS.ErrnoException>;
  if (error instanceof RelayError || !url) return error;
  const read = (name: string, part: string) =>
    url.searchParams.get(name) ?? decodeURIComponent(part);
  const host = read('host', url.hostname.replace(/^\[(.*)\]$/, '$1'));
  const place = host.startsWith('/') ? host : `${host}, port ${read('port', url.port) || '5432'}`;
  const user = `the user "${read('user', url.username)}"`;
  const why = code === '' ? '' : ` (${code})`;
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return fault(`names the host "${host}", which has no address${why}`, error);
  }
  if (code === 'ENOENT' && syscall === 'open') {
    return fault(`names a file that does not exist: ${message.replace(/^.*open /, '')}`, error);
  }
  if (/^E(?:NOENT|CONN|HOST|NET|TIMEDOUT)/.test(code) || /timeout|terminated/.test(message)) {
    return fault(`leads to ${place}, where no PostgreSQL responds${why}`, error);
  }
  if (/^28/.test(code) || /SASL/.test(message)) {
    return fault(`gives ${user}, whom PostgreSQL rejects: check name and password${why}`, error);
  }
  if (code === '3D000') {
    const name = decodeURIComponent(url.pathname.slice(1));
    return fault(`names the database "${name}", which does not exist${why}`, error);
  }
  if (code === '42501') {
    return fault(`gives ${user}, who lacks a right: ${message}${why}`, error);
  }
  if (/^(?:DEPTH_|SELF_|UNABLE_|CERT_|ERR_TLS|ERR_SSL)/.test(code) || /SSL/.test(message)) {
    return fault(`has TLS settings that fail: ${message}${why}. Check sslmode`, error);
  }
  return error;
}

/** Accepts a URL without a host, as sockets have it. */
function parse(text: string): URL | null {
  return URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
}

function fault(what: string, cause?: unknown): RelayError {
  return new RelayError('configuration', `DATABASE_URL ${what}.`, { cause });
}
