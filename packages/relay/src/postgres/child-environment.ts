/**
 * What the relay's child processes see. They need none of its settings, which hold secrets. The
 * machine's PG* variables are for another PostgreSQL: PGPORT alone would rename the socket of the
 * relay's own.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:RELAY_|DATABASE_URL$|PG)/i.test(name)),
  );
}
