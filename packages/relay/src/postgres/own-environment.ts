/**
 * The machine's PG* variables are for another PostgreSQL: PGPORT alone would rename the socket of
 * the relay's own.
 */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG/i.test(name)));
}

/** Says what pg would otherwise read from PG* variables; for `options`, that means a default. */
export const ownConnection = {
  port: '5432',
  ssl: '0',
  sslnegotiation: 'postgres',
  client_encoding: 'UTF8',
  application_name: 'screen-advertising-relay',
  options: '-c client_min_messages=notice',
} as const;
