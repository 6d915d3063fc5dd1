import { RelayError } from '../base/relay-error.ts';
import type { RelayContext } from '../context.ts';

/** The number of the source with this name. Throws a RelayError for any other. */
export async function findSource(context: Pick<RelayContext, 'db'>, name: string): Promise<number> {
  const [number = 0] = await findSources(context, name);
  return number;
}

/** The same for one source, or without a name, for all. Throws a RelayError if there is none. */
export async function findSources(
  { db }: Pick<RelayContext, 'db'>,
  name: string | undefined,
): Promise<readonly number[]> {
  const sources = await db
    .selectFrom('source')
    .select(['number', 'name'])
    .orderBy('name')
    .execute();
  const found = sources.filter((source) => name === undefined || source.name === name);
  if (found.length > 0) return found.map(({ number }) => number);
  const names = sources.map((source) => source.name).join(', ');
  throw new RelayError(
    'not_found',
    names === ''
      ? 'No sources yet. Add one with: sources add NAME.'
      : `There is no source "${name}". There are: ${names}.`,
  );
}
