import { posix } from 'node:path';

/** Links to places inside the project, without their `#section`. */
export function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const reference = [...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  const image = [...prose.matchAll(/<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"/g)];
  return [...inline, ...reference, ...image]
    .flatMap(([, target = '']) => target.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z][a-z+.-]*:/i.test(target));
}

/** Links of a document that lead nowhere, as `path → link`. `paths` are all files of the project. */
export function brokenLinks(path: string, markdown: string, paths: readonly string[]): string[] {
  return relativeLinks(markdown)
    .filter((link) => {
      const target = posix.join(posix.dirname(path), decodeURI(link)).replace(/\/$/, '');
      return !paths.some((file) => file === target || file.startsWith(`${target}/`));
    })
    .map((link) => `${path} → ${link}`);
}

export interface Command {
  readonly text: string;
  /** Package it runs in; undefined for the root. */
  readonly package: string | undefined;
  readonly script: string;
}

/** pnpm's own, and programs it runs from node_modules. */
const builtIn = new Set(['install', 'exec', 'dlx', 'add', 'pack', 'publish', 'changeset', 'audit']);

/** Options whose value is a word of its own. */
const filters = new Set(['--filter', '-F']);

/** Commands of pnpm that run a script, in documents as in programs of the shell. */
export function pnpmCommands(text: string): Command[] {
  const calls = text.matchAll(/(?<![\w./@-])(?:npx -y pnpm@12|pnpm) +[^\n`;&|)]+/g);
  return [...calls].flatMap(([call]) => readCommand(call.trim()) ?? []);
}

function readCommand(text: string): Command | undefined {
  const words = text.replace(/^(?:npx -y pnpm@12|pnpm) +/, '').split(/ +/);
  const start = words.findIndex(
    (word, index) => !word.startsWith('-') && !filters.has(words[index - 1] ?? ''),
  );
  const options = words.slice(0, start);
  const runs = words[start] === 'run';
  const script = words[runs ? start + 1 : start] ?? '';
  const isScript = /^[\w:-]+$/.test(script) && (runs || !builtIn.has(script));
  if (start < 0 || !isScript || options.includes('--recursive')) return undefined;
  const filter = options.findIndex((word) => filters.has(word));
  return { text, package: filter < 0 ? undefined : options[filter + 1], script };
}

/** The parts of a document that are meant to be typed. */
export function codeOf(markdown: string): string {
  const blocks = markdown.match(/^```[\s\S]*?^```/gm) ?? [];
  const spans = markdown.replace(/^```[\s\S]*?^```/gm, '').match(/`[^`\n]+`/g) ?? [];
  return [...blocks, ...spans].join('\n');
}
