import type { Random } from '../../../packages/sandbox/src/random.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values that a person, another program or a broken disk could have written. */
const pool: readonly [Json, ...Json[]] = [
  null,
  true,
  0,
  -1,
  0.5,
  7,
  2 ** 53,
  1e300,
  -1e300,
  8.64e15,
  -62167219200001,
  '',
  'x',
  '..',
  'a/b?c#d',
  '<script>alert(1)</script>',
  '\ud800',
  '__proto__',
  'full',
  'DE',
  '31.03.2027',
  '2027-02-30T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2027-03-01T09:00:01Z',
  '9999-12-31T23:59:59Z',
  'http://127.0.0.1:1/',
  'http://user:50%off@127.0.0.1:1/',
  'http://[',
  'ftp://127.0.0.1/',
  [],
  [null],
  {},
  { id: 1 },
];

/** A place in a JSON value: `holder[name]`. */
interface Place {
  readonly holder: Record<string, Json>;
  readonly name: string;
}

/** Changes a JSON value in one or two places. Returns a readable list of the changes. */
export function mutate(value: object, random: Random): string[] {
  const done: string[] = [];
  const times = random.integer(1, 2);
  while (done.length < times) {
    const places = placesIn(value as Record<string, Json>);
    const [target, source] = [choose(places, random), choose(places, random)];
    done.push(change(target, source, random));
  }
  return done;
}

function change({ holder, name }: Place, source: Place, random: Random): string {
  const old = holder[name];
  const kind = random.integer(0, 9);
  if (kind === 0 && Array.isArray(holder)) {
    holder.push(structuredClone(old ?? null));
    return `a second ${name}`;
  }
  if (kind <= 1) {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
    return `no ${name}`;
  }
  if (kind === 2) holder[`${name}x`] = old ?? null;
  else holder[name] = next(old, source, random, kind);
  return `${name} ${JSON.stringify(holder[name])?.slice(0, 80)}`;
}

function next(old: Json | undefined, source: Place, random: Random, kind: number): Json {
  if (kind <= 4) return structuredClone(source.holder[source.name] ?? null);
  if (kind <= 6 && typeof old === 'number') return old + random.integer(-1000, 1000);
  if (kind <= 6 && typeof old === 'string' && !old.startsWith('http')) return `${old}${old}`;
  return structuredClone(random.pick(pool));
}

function choose(places: readonly Place[], random: Random): Place {
  const place = places[random.integer(0, places.length - 1)];
  if (!place) throw new Error('Nothing is left to change.');
  return place;
}

function placesIn(holder: Record<string, Json>): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => {
    const inside = value !== null && typeof value === 'object';
    return [{ holder, name }, ...(inside ? placesIn(value as Record<string, Json>) : [])];
  });
}
