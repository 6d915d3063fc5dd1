import { parse } from '@babel/parser';
import type { ExportNamedDeclaration, Node } from '@babel/types';
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

function namesOf(path: string, source: string): Name[] {
  const file = { name: path.slice(path.lastIndexOf('/') + 1), line: 1 };
  if (!/\.m?ts$/.test(path)) return [file];
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  return [
    file,
    ...program.body
      .filter((node) => node.type === 'ExportNamedDeclaration')
      .flatMap((node) =>
        exportedBy(node).map((name) => ({ name, line: node.loc?.start.line ?? 1 })),
      ),
  ];
}

/** The names of a declaration, or those that a list gives; re-exports repeat a name. */
function exportedBy({ declaration, specifiers, source }: ExportNamedDeclaration): string[] {
  if (source) return [];
  if (declaration?.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => identifiersIn(id));
  }
  if (declaration && 'id' in declaration) return identifiersIn(declaration.id);
  return specifiers.flatMap(({ exported }) => identifiersIn(exported));
}

const identifiersIn = (node: Node | null | undefined): string[] =>
  node?.type === 'Identifier' ? [node.name] : [];
