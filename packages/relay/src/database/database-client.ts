import { Client, type ClientConfig } from 'pg';
import { readDatabaseUrl } from './database-url.ts';

/**
 * The class of clients that connect to this address, and take nothing from PG* variables or
 * ~/.pgpass: those are for other programs. Reads the files that the address names once, so that a
 * later connection cannot fail because of them.
 */
export function clientFor(connectionString: string): new (config?: ClientConfig) => Client {
  const address = readDatabaseUrl(connectionString);
  return class DatabaseClient extends Client {
    constructor(config: ClientConfig = {}) {
      super({ ...config, ...address });
      // pg would take empty ones from PGOPTIONS and PGREPLICATION.
      const { connectionParameters } = this as unknown as { readonly connectionParameters: object };
      Object.assign(connectionParameters, { options: address.options, replication: undefined });
    }
  };
}
