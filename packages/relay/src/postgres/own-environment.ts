/**
 * The machine's PG* variables are for another PostgreSQL: PGPORT alone would rename the socket of
 * the relay's own.
 */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^PG/i.test(name)));
}
