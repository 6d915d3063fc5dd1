import { projectFiles, read } from '../../structure/project.ts';

export interface Block {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

/** Something that a document tells its readers to type. */
export interface Typed {
  readonly document: string;
  readonly text: string;
}

export const documents = projectFiles().filter((path) => path.endsWith('.md'));

const fence = /^( *)```([\w-]*)\n([\s\S]*?)^ *```$/gm;

/** Fenced blocks, without the indentation of the list that they stand in. */
export function blocksIn(document: string, markdown: string): Block[] {
  return [...markdown.matchAll(fence)].map(([, indent = '', language = '', text = '']) => ({
    document,
    language,
    text: text.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), ''),
  }));
}

/** Programs whose name at the start of inline code makes it a command. */
const programs =
  /^(?:npx|npm|pnpm|node|curl|docker|git|bash|sh|cd|mkdir|tar|openssl|zapier-platform|screen-advertising(?:-sandbox)?) \S/;

/** Every command of a document: the lines of its shell blocks, and inline code that is one. */
export function commandsIn(document: string, markdown: string): Typed[] {
  const inBlocks = blocksIn(document, markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => linesOf(text));
  const spans = [...markdown.replace(fence, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, text = '']) => text)
    .filter((text) => programs.test(text));
  return [...inBlocks, ...spans].map((text) => ({ document, text }));
}

/** Lines of a shell, each with its here-document and without its comment. */
function linesOf(text: string): string[] {
  return [...text.matchAll(/^.*<<(\w+)\n[\s\S]*?^\1$|^.+$/gm)]
    .map(([line]) => line.replace(/ +# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export const allBlocks = documents.flatMap((path) => blocksIn(path, read(path)));
export const allCommands = documents.flatMap((path) => commandsIn(path, read(path)));
