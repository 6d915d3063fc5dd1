import { posix } from 'node:path';

/** Links to places inside the project. */
function relativeLinks(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const reference = [...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  const image = [...prose.matchAll(/<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"/g)];
  return [...inline, ...reference, ...image]
    .map(([, target = '']) => target)
    .filter((target) => target !== '' && !/^[a-z][a-z+.-]*:/i.test(target));
}

/** The files that a document links to or shows. */
export const linkedFiles = (path: string, markdown: string): string[] =>
  relativeLinks(markdown).map((link) => posix.join(posix.dirname(path), link.split('#')[0] ?? ''));

/** The anchors of a document: `<a name>`, and those GitHub derives from the headings. */
function sectionsOf(markdown: string): Set<string> {
  const prose = markdown.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const sections = new Set([...prose.matchAll(/<a name="([^"]+)">/g)].map(([, name = '']) => name));
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const name = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let section = name;
    for (let repeat = 1; sections.has(section); repeat += 1) section = `${name}-${repeat}`;
    sections.add(section);
  }
  return sections;
}

/**
 * Broken links of a document, as `path → link`. `paths` are all files of the project, and `textOf`
 * reads one of them.
 */
export function brokenLinks(
  path: string,
  markdown: string,
  paths: readonly string[],
  textOf: (path: string) => string,
): string[] {
  const leadsNowhere = (link: string): boolean => {
    const [file = '', section] = decodeURI(link).split('#');
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, '');
    if (file !== '' && !paths.some((one) => one === target || one.startsWith(`${target}/`))) {
      return true;
    }
    if (section === undefined) return false;
    const isDocument = file === '' || target.endsWith('.md');
    return !isDocument || !sectionsOf(file === '' ? markdown : textOf(target)).has(section);
  };
  return relativeLinks(markdown)
    .filter(leadsNowhere)
    .map((link) => `${path} → ${link}`);
}

/** Paths of the project that a document names in backticks, and that do not exist. */
export function missingPaths(markdown: string, paths: readonly string[]): string[] {
  const prose = markdown.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const named = prose.matchAll(/`((?:shared|packages|test|docs|\.github)\/[\w./-]+)`/g);
  return [...named]
    .map(([, path = '']) => path.replace(/\/$/, ''))
    .filter((path) => !paths.some((one) => one === path || one.startsWith(`${path}/`)));
}

export interface Command {
  readonly text: string;
  /** The package that it runs in; undefined for the root. */
  readonly package: string | undefined;
  readonly script: string;
}

/** pnpm's own commands, and programs it runs from node_modules. */
const builtIn = new Set(['install', 'exec', 'dlx', 'add', 'pack', 'publish', 'changeset', 'audit']);

/** Options that take their value from the next word. */
const filters = new Set(['--filter', '-F']);

/** pnpm commands that run a script, in documents and in shell scripts. */
export function pnpmCommands(text: string): Command[] {
  const calls = text.matchAll(/(?<![\w./@-])(?:npx -y pnpm@12[\d.]*|pnpm) +[^\n`;&|)]+/g);
  return [...calls].flatMap(([call]) => readCommand(call.trim()) ?? []);
}

function readCommand(text: string): Command | undefined {
  const words = text.replace(/^(?:npx -y pnpm@12[\d.]*|pnpm) +/, '').split(/ +/);
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

/** The parts of a document that readers should type. */
export function codeOf(markdown: string): string {
  const blocks = markdown.match(/^```[\s\S]*?^```/gm) ?? [];
  const spans = markdown.replace(/^```[\s\S]*?^```/gm, '').match(/`[^`\n]+`/g) ?? [];
  return [...blocks, ...spans].join('\n');
}
