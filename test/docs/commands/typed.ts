import { projectFiles, read } from '../../structure/project.ts';

export interface Block {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

/** A command that a document asks its readers to type. */
export interface Typed {
  readonly document: string;
  readonly text: string;
}

const documents = projectFiles().filter((path) => path.endsWith('.md'));

const fence = /^( *)```([\w-]*)\n([\s\S]*?)^ *```$/gm;

/** Fenced blocks, without the indentation of a list around them. */
export function blocksIn(document: string, markdown: string): Block[] {
  return [...markdown.matchAll(fence)].map(([, indent = '', language = '', text = '']) => ({
    document,
    language,
    text: text.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), ''),
  }));
}

/** Inline code that starts with the name of one of these programs is a command. */
const programs =
  /^(?:npx|npm|pnpm|node|curl|docker|git|bash|sh|cd|mkdir|tar|openssl|zapier-platform|screen-advertising(?:-sandbox)?) \S/;

/** Every command of a document: the lines of its shell blocks, and inline commands. */
function commandsIn(document: string, markdown: string): Typed[] {
  const inBlocks = blocksIn(document, markdown)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => linesOf(text));
  const spans = [...markdown.replace(fence, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, text = '']) => text)
    .filter((text) => programs.test(text));
  return [...inBlocks, ...spans].map((text) => ({ document, text }));
}

/** Lines of a shell block, each with its here-document and without its comment. */
function linesOf(text: string): string[] {
  return [...text.matchAll(/^.*<<(\w+)\n[\s\S]*?^\1$|^.+$/gm)]
    .map(([line]) => line.replace(/ +# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export const allBlocks = documents.flatMap((path) => blocksIn(path, read(path)));
export const allCommands = documents.flatMap((path) => commandsIn(path, read(path)));
