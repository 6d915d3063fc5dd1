import { Client, type ClientConfig } from 'pg';
import { readDatabaseUrl } from './database-url.ts';
import { DatabaseUrlError } from './database-url-error.ts';

/** Parts of pg's client that its types leave out. */
interface Inside {
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
  const { needsChannelBinding, ...address } = readDatabaseUrl(connectionString);
  return class DatabaseClient extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, ...address });
      const inside = this as unknown as Inside;
      // pg would take empty ones from PGOPTIONS and PGREPLICATION.
      const { options } = address;
      Object.assign(inside.connectionParameters, { options, replication: undefined });
      if (needsChannelBinding) requireChannelBinding(inside);
    }
  };
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
