import type { RelayContext } from '../context.ts';
import { RelayError } from '../relay-error.ts';

/** The number of the source with this name. With no name, the only source. Throws a RelayError. */
export async function findSource({ db }: RelayContext, name?: string): Promise<number> {
  const sources = await db
    .selectFrom('source')
    .select(['number', 'name'])
    .orderBy('name')
    .execute();
  const found = name === undefined ? sources : sources.filter((source) => source.name === name);
  const [only, ...others] = found;
  if (only && others.length === 0) return only.number;
  const names = sources.map((source) => source.name).join(', ');
  if (names === '') {
    throw new RelayError('not_found', 'No sources yet. Add one with: sources add NAME.');
  }
  throw name === undefined
    ? new RelayError('conflict', `There are several sources: ${names}. Choose one with --source.`)
    : new RelayError('not_found', `There is no source "${name}". There are: ${names}.`);
}
