import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';

/** The number of the source with this name. Throws a RelayError for any other. */
export async function findSource({ db }: Pick<RelayContext, 'db'>, name: string): Promise<number> {
  const sources = await db
    .selectFrom('source')
    .select(['number', 'name'])
    .orderBy('name')
    .execute();
  const found = sources.find((source) => source.name === name);
  if (found) return found.number;
  const names = sources.map((source) => source.name).join(', ');
  throw new RelayError(
    'not_found',
    names === ''
      ? 'No sources yet. Add one with: sources add NAME.'
      : `There is no source "${name}". There are: ${names}.`,
  );
}
