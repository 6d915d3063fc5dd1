import { Client, type ClientConfig } from 'pg';
import { parseDatabaseUrl } from './database-url.ts';
import { DatabaseUrlError } from './database-url-error.ts';
import { tlsOf, tlsParameters } from './tls.ts';

/** Parts of pg's client that its types leave out. */
interface Inside {
  password: unknown;
  readonly connectionParameters: { options?: string | undefined; replication?: undefined };
  readonly connection: {
    prependListener(event: string, listener: (message: SignIn) => void): void;
    removeAllListeners(event: string): void;
    readonly stream: { destroy(error: Error): void };
  };
}

interface SignIn {
  readonly mechanisms?: readonly string[];
}

/**
 * The class of clients that connect to this address, and take nothing from PG* variables or
 * ~/.pgpass: those are for other programs. Reads the files that the address names once, so that a
 * later connection cannot fail because of them.
 */
export function clientFor(connectionString: string): new (config?: ClientConfig) => Client {
  const url = parseDatabaseUrl(connectionString);
  const { ssl, channelBinding, negotiation } = tlsOf(url.searchParams);
  const password = url.password || url.searchParams.get('password');
  const startupOptions = url.searchParams.get('options') ?? undefined;
  const address = {
    connectionString: complete(url),
    ssl,
    sslnegotiation: negotiation,
    enableChannelBinding: channelBinding !== 'disable',
  };
  return class DatabaseClient extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, ...address });
      const inside = this as unknown as Inside;
      if (!password) inside.password = () => '';
      Object.assign(inside.connectionParameters, {
        options: startupOptions,
        replication: undefined,
      });
      if (channelBinding === 'require') requireChannelBinding(inside);
    }
  };
}

/** With every part that pg would otherwise look for in a PG* variable. */
function complete(given: URL): string {
  const url = new URL(given);
  for (const name of tlsParameters) url.searchParams.delete(name);
  const user =
    url.searchParams.get('user') ||
    decodeURIComponent(url.username) ||
    process.env.USER ||
    'postgres';
  const usual = {
    user,
    port: url.port || '5432',
    application_name: 'screen-advertising-relay',
  };
  for (const [name, value] of Object.entries(usual)) {
    if (!url.searchParams.get(name)) url.searchParams.set(name, value);
  }
  if (!url.hostname && !url.searchParams.get('host')) url.searchParams.set('host', 'localhost');
  if (url.pathname.length < 2) url.pathname = `/${user}`;
  return url.href;
}

/**
 * Ends a sign-in that would not prove that TLS ends at the database, before the password is sent.
 * pg has no setting for it.
 */
function requireChannelBinding({ connection }: Inside): void {
  let isBound = false;
  const refuse = () => {
    // The end of the sign-in may have arrived together with its beginning.
    connection.removeAllListeners('readyForQuery');
    connection.stream.destroy(new DatabaseUrlError(channelBindingFault));
  };
  connection.prependListener('authenticationSASL', ({ mechanisms = [] }) => {
    isBound = mechanisms.includes('SCRAM-SHA-256-PLUS');
    if (!isBound) refuse();
  });
  connection.prependListener('authenticationCleartextPassword', refuse);
  connection.prependListener('authenticationMD5Password', refuse);
  connection.prependListener('backendKeyData', () => {
    if (!isBound) refuse();
  });
}

const channelBindingFault =
  'has channel_binding=require, which the server does not offer. Remove channel_binding, and take sslmode=verify-full';
