import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { RelayError } from '../../relay-error.ts';

/** Something is wrong with DATABASE_URL. The message continues the name of the variable. */
export class DatabaseUrlError extends RelayError {
  constructor(what: string, cause?: unknown) {
    super('configuration', `DATABASE_URL ${what}.`, { cause });
  }
}

/** How pg connects to a DATABASE_URL, with every part that it would otherwise take from PG* variables. */
interface DatabaseConfig extends ClientConfig {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

const spelling =
  'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, and percent-encode special characters in USER and PASSWORD: @ as %40, / as %2F, # as %23, ? as %3F, % as %25';

const words: Readonly<Record<string, readonly string[]>> = {
  sslmode: ['disable', 'require', 'verify-ca', 'verify-full'],
  channel_binding: ['disable', 'prefer', 'require'],
  sslnegotiation: ['postgres', 'direct'],
};

/**
 * Reads the address, and the files that it names. TLS parameters mean what they mean in libpq, as
 * providers print them: pg takes `require` for `verify-full`, which fails where a provider has its
 * own certificate authority. Throws a RelayError without any part of the text that may belong to
 * the password.
 */
export function readDatabaseUrl(text: string): DatabaseConfig {
  const url = urlOf(text);
  const { searchParams: parameters } = url;
  const given = (name: string) => parameters.get(name) || undefined;
  if (given('sslrootcert') === 'system') {
    parameters.delete('sslrootcert');
    parameters.set('sslmode', 'verify-full');
  }
  // pg cannot refuse a sign-in without it. Its purpose, to know the server, needs a certificate then.
  const binding = given('channel_binding');
  if (binding === 'require' && given('sslmode') === 'require') {
    parameters.set('sslmode', 'verify-full');
  }
  // pg's own name for `require`.
  if ((given('sslmode') ?? given('ssl')) === 'no-verify') parameters.set('sslmode', 'require');
  parameters.delete('uselibpqcompat');
  checkTls(given);
  const config = configOf(url);
  const { ssl = false } = config;
  if (!ssl && (binding === 'require' || given('sslnegotiation') === 'direct')) {
    const what = 'has channel_binding or sslnegotiation, which need TLS. Add sslmode=require';
    throw new DatabaseUrlError(what);
  }
  const user = config.user || process.env.USER || 'postgres';
  return {
    application_name: 'screen-advertising-relay',
    sslnegotiation: 'postgres',
    ...config,
    host: config.host || 'localhost',
    port: config.port ?? 5432,
    user,
    // pg would look for an empty one elsewhere.
    password: config.password || (() => ''),
    database: config.database || user,
    ssl,
    enableChannelBinding: binding === 'prefer' || binding === 'require',
  };
}

function urlOf(text: string): URL {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0].toLowerCase();
  if (scheme !== 'postgres://' && scheme !== 'postgresql://') {
    const given = scheme === undefined ? '' : `, not with ${scheme}`;
    throw new DatabaseUrlError(`must start with postgres:// or postgresql://${given}`);
  }
  // A socket needs no host.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/'));
  // Otherwise a password with "/", "?" or "#" would end the host, and the rest would be a database.
  const isCutShort =
    url && (url.hash !== '' || /@/.test(url.pathname) || /^\?[^=]*@/.test(url.search));
  if (!url || isCutShort) throw new DatabaseUrlError(`is not a valid address. ${spelling}`);
  return url;
}

function checkTls(given: (name: string) => string | undefined): void {
  for (const [name, known] of Object.entries(words)) {
    const word = given(name);
    if (word === undefined || known.includes(word)) continue;
    throw new DatabaseUrlError(`has ${name}=${word}. Take one of ${known.join(', ')}`);
  }
  if (given('sslmode') === 'verify-ca' && given('sslrootcert') === undefined) {
    throw new DatabaseUrlError(
      "has sslmode=verify-ca without sslrootcert. Add sslrootcert=FILE with your provider's certificate authority, or take sslmode=verify-full",
    );
  }
}

/** Node.js would ignore a file without a certificate, and then trust no server. */
function configOf(url: URL): ClientConfig {
  const config = readFiles(url);
  const { ca, cert } = Object(config.ssl);
  for (const [name, pem] of Object.entries({ sslrootcert: ca, sslcert: cert })) {
    if (pem === undefined || pem.includes('-----BEGIN CERTIFICATE-----')) continue;
    const file = url.searchParams.get(name);
    throw new DatabaseUrlError(`names a file without a PEM certificate: '${file}'`);
  }
  return config;
}

function readFiles(url: URL): ClientConfig {
  try {
    return toClientConfig(parse(url.href, { useLibpqCompat: true }));
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    // The message of another error may quote the password.
    if (syscall === undefined) throw new DatabaseUrlError(`is not a valid address. ${spelling}`);
    throw new DatabaseUrlError(`names a file that cannot be read: ${message}`, error);
  }
}
