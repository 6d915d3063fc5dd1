import { words } from './words.ts';

/** A file name, or something that a file exports. */
interface Name {
  readonly name: string;
  readonly line: number;
}

/** Words of prose that names may hold: a type of fields is called `identifier`. */
const { ID: _, ...ofProse } = words;

/** Words that an engineer who knows HTTP, webhooks and PostgreSQL would not guess from. */
const ofNames: typeof words = {
  retry: { not: /\b(?:tries|tried|trying)\b|(?<=. )try\b/, say: 'attempt, retry' },
  request: { not: /\b(?:ask|asks|asked|asking|question)\b/, say: 'request, query, poll, read' },
  store: { not: /\b(?:keep|keeps|kept|keeping)\b(?! alive)/, say: 'stored, retention, cache' },
  'in flight': { not: /\bunder way\b/, say: 'in flight, concurrent, pending' },
  desired: { not: /\bwanted\b/, say: 'desired, expected' },
  mode: { not: /\bways?\b/, say: 'mode, method' },
  lookup: { not: /\blooks?\b(?! ups?\b)/, say: 'lookup, read, poll' },
  messages: { not: /\bwords\b/, say: 'messages, texts' },
  'end notice': { not: /\bfarewells?\b/, say: 'end notice' },
  lease: { not: /\blanes?\b/, say: 'lease, worker' },
  problem: { not: /\btroubles?\b/, say: 'problem, error' },
  result: { not: /\bnews\b/, say: 'result, changes' },
  registry: { not: /\bshel(?:f|ves)\b/, say: 'registry, map' },
  task: { not: /\b(?:chores?|tidy|sweep)\b/, say: 'task, maintenance, settle' },
};

const rules = [...Object.entries(ofProse), ...Object.entries(ofNames)];

/** A decision keeps its number and name. */
const excluded = /^docs\/decisions\/|^test\/structure\/prose/;

/** The names of a file that should say something in another way. */
export function nameHits(path: string, source: string) {
  if (excluded.test(path)) return [];
  return namesOf(path, source).flatMap(({ name, line }) =>
    rules.flatMap(([rule, { not, say }]) => {
      const [found] = new RegExp(not.source, 'i').exec(wordsOf(name)) ?? [];
      return found
        ? [
            {
              path,
              line,
              kind: 'name' as const,
              rule,
              message: `${name}: say ${say}, not "${found}"`,
            },
          ]
        : [];
    }),
  );
}

/** `readHTTPAnswer` and `read-http-answer.ts` as "read http answer". */
const wordsOf = (name: string): string =>
  name
    .replace(/\.[\w.]+$/, '')
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replace(/[-_.]+/g, ' ')
    .toLowerCase();

const exported =
  /^export (?:(?:abstract |async )?(?:const|function|class|interface|type) (\w+)|\{([^}]*)\};)/gm;

/** The file's own name, and those of what it declares or lists; re-exports repeat a name. */
function namesOf(path: string, source: string): Name[] {
  const file = { name: path.slice(path.lastIndexOf('/') + 1), line: 1 };
  const found = [...source.matchAll(exported)].flatMap(({ index, 1: one, 2: list = '' }) => {
    const names = one ? [one] : list.split(',').map((name) => name.replace(/.* as /, '').trim());
    const line = source.slice(0, index).split('\n').length;
    return names.filter((name) => name !== '').map((name) => ({ name, line }));
  });
  return /\.m?ts$/.test(path) ? [file, ...found] : [file];
}
