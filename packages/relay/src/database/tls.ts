import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { DatabaseUrlError } from './database-url-error.ts';

/** `no-verify` is pg's own name for `require`. */
const modes = ['disable', 'require', 'no-verify', 'verify-ca', 'verify-full'] as const;
const bindings = ['disable', 'prefer', 'require'] as const;
const negotiations = ['postgres', 'direct'] as const;

/** How a DATABASE_URL wants its connections secured. */
export interface Tls {
  readonly ssl: false | ConnectionOptions;
  /** Whether the server must prove in the sign-in that it is the one TLS ends at. */
  readonly channelBinding: (typeof bindings)[number];
  readonly negotiation: (typeof negotiations)[number];
}

/** The parameters below, which pg would read in another way. */
export const tlsParameters = [
  ...['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
  ...['sslnegotiation', 'channel_binding', 'uselibpqcompat'],
];

/**
 * Reads the TLS parameters like libpq, as providers mean what they print: pg takes `require` for
 * `verify-full`, which fails where a provider has its own certificate authority.
 */
export function tlsOf(parameters: URLSearchParams): Tls {
  const given = (name: string) => parameters.get(name) || undefined;
  const channelBinding = oneOf('channel_binding', bindings, given('channel_binding') ?? 'disable');
  const negotiation = oneOf('sslnegotiation', negotiations, given('sslnegotiation') ?? 'postgres');
  const rootFile = given('sslrootcert');
  const isSystem = rootFile === 'system';
  const mode = isSystem ? 'verify-full' : oneOf('sslmode', modes, modeOf(parameters));
  if (mode === 'disable') {
    if (channelBinding !== 'require' && negotiation !== 'direct') {
      return { ssl: false, channelBinding: 'disable', negotiation };
    }
    throw new DatabaseUrlError(
      'has channel_binding or sslnegotiation, which need TLS. Add sslmode=require',
    );
  }
  const ca = rootFile === undefined || isSystem ? undefined : certificates(rootFile);
  if (mode === 'verify-ca' && !ca) {
    throw new DatabaseUrlError(
      "has sslmode=verify-ca without sslrootcert. Add sslrootcert=FILE with your provider's certificate authority, or take sslmode=verify-full",
    );
  }
  const [cert, key] = [given('sslcert'), given('sslkey')];
  return {
    channelBinding,
    negotiation,
    ssl: {
      ...(ca && { ca }),
      ...(cert && { cert: certificates(cert) }),
      ...(key && { key: read(key) }),
      ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
      rejectUnauthorized: mode.startsWith('verify') || (mode === 'require' && ca !== undefined),
    },
  };
}

/** `ssl` is the spelling of pg and of some providers. Without any parameter, TLS is off. */
function modeOf(parameters: URLSearchParams): string {
  const ssl = parameters.get('ssl') ?? '';
  const isWanted = ['sslrootcert', 'sslcert', 'sslkey'].some((name) => parameters.get(name));
  const usual = isWanted || parameters.get('sslnegotiation') === 'direct' ? 'verify-full' : '';
  const bySsl = { true: 'verify-full', 1: 'verify-full', 'no-verify': 'no-verify' }[ssl];
  return parameters.get('sslmode') || bySsl || usual || 'disable';
}

function oneOf<const Word extends string>(
  name: string,
  words: readonly Word[],
  text: string,
): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  const others = words.filter((one) => one !== 'no-verify').join(', ');
  throw new DatabaseUrlError(`has ${name}=${text}. Take one of ${others}`);
}

/** Node.js would ignore a file without a certificate, and then trust no server. */
function certificates(file: string): string {
  const text = read(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new DatabaseUrlError(`names a file without a PEM certificate: '${file}'`);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DatabaseUrlError(`names a file that cannot be read: '${file}' (${code})`, error);
  }
}
