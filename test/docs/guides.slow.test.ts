import { posix } from 'node:path';
import { parse } from '@babel/parser';
import { type Node, traverseFast } from '@babel/types';
import { describe, expect, it } from '@jest/globals';
import { projectFiles, read } from '../structure/project.ts';
import { errorCodes, failureReasons } from '../support/error-codes.ts';

const guides = projectFiles().filter((path) => /^docs\/[^/]+\.md$/.test(path));

describe('the guides', () => {
  it.each(guides)('%s is linked from the README or another guide', (path) => {
    const links = guides.filter((guide) => guide !== path).map(read);
    const isLinked = links.some((text) => text.includes(`](${posix.basename(path)}`));
    expect(isLinked || read('README.md').includes(`](${path})`)).toBe(true);
  });

  it('describe each picture for readers who cannot see it', () => {
    const pictures = guides.flatMap((path) => [...read(path).matchAll(/!\[([^\]]*)\]\(/g)]);
    expect(pictures.length).toBeGreaterThan(2);
    for (const [, words] of pictures) expect(words).toMatch(/\w+ \w+/);
  });
});

/** Messages in the first column of every table with a column of messages. */
function messagesIn(markdown: string): string[] {
  return markdown
    .split(/\n(?=\| Message )/)
    .slice(1)
    .flatMap((table) => (table.split('\n\n')[0] ?? '').split('\n').slice(2))
    .map((row) => row.split('|')[1]?.trim() ?? '')
    .filter((message) => message !== '');
}

/**
 * The fixed parts of a message, as they appear in a source: between its variable parts, by
 * sentence.
 */
function quotedTexts(message: string): string[] {
  return message
    .split(/…|[()]|\.(?:\s|$)|:\s/)
    .map((text) => text.replace(/^[,.\s]+|[,.\s]+$/g, ''))
    .filter((text) => /\w+\W+\w+/.test(text) && !/^status$/.test(text));
}

/** The texts of every error that these sources create, with `…` for the variable parts. */
function errorsIn(sources: readonly string[]): string[][] {
  const programs = sources.map((source) =>
    parse(source, { sourceType: 'module', plugins: ['typescript'] }),
  );
  const creating = new Set<string>();
  for (const program of programs) {
    traverseFast(program, (node) => {
      if (node.type === 'FunctionDeclaration' && isOfError(node.returnType))
        creating.add(node.id?.name ?? '');
    });
  }
  const errors: string[][] = [];
  for (const program of programs) {
    traverseFast(program, (node) => {
      const isCall = node.type === 'CallExpression' && creating.has(nameOf(node.callee));
      if (!isCall && !isNewError(node)) return undefined;
      errors.push(textsIn(node));
      return traverseFast.skip;
    });
  }
  return errors.filter((texts) => texts.some(isSentence));
}

/** Except those of inputs, which all say that the operation was not sent, and why. */
const anError = /(?<!^Input)Error$/;

const isNewError = (node: Node) =>
  node.type === 'NewExpression' && anError.test(nameOf(node.callee));

function isOfError(type: Node | null | undefined): boolean {
  if (type?.type === 'TSTypeAnnotation') return isOfError(type.typeAnnotation);
  return type?.type === 'TSTypeReference' && anError.test(nameOf(type.typeName));
}

function nameOf(callee: Node): string {
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' ? name.name : '';
}

function textsIn(error: Node): string[] {
  const texts: string[] = [];
  traverseFast(error, (node) => {
    if (node.type === 'StringLiteral') texts.push(node.value);
    if (node.type !== 'TemplateLiteral') return;
    texts.push(node.quasis.map(({ value }) => value.cooked).join('…'));
  });
  return texts;
}

/** What begins in lower case is a part of another message, such as why a header cannot be read. */
const isSentence = (text: string) => /^["'…A-Z]/.test(text) && quotedTexts(text).length > 0;

describe('the guide to errors', () => {
  const guide = read('docs/limits-and-errors.md');
  const sources = projectFiles()
    .filter((path) =>
      /^(?:shared|packages\/(?:cli|mcp|n8n|zapier)[^/]*)\/(?:src|lib|nodes|credentials)\/.*\.ts$/.test(
        path,
      ),
    )
    .map(read);

  const ofRelay = projectFiles()
    .filter((path) => path.startsWith('packages/relay/src/'))
    .map(read)
    .join('\n');

  it.each(messagesIn(guide))('quotes a message that exists: %s', (message) => {
    const unquoted = quotedTexts(message).filter(
      (text) => !sources.some((source) => source.includes(text)),
    );
    expect(unquoted.filter((text) => !ofRelay.includes(text))).toEqual([]);
  });

  it.each(errorCodes)('explains the code %s', (code) => {
    expect(guide).toContain(`\`${code}\``);
  });

  it.each(failureReasons)('explains the reason %s', (reason) => {
    expect(guide).toContain(`\`${reason}\``);
  });

  it('contains every error that users can meet', () => {
    const errors = errorsIn(sources);
    expect(errors.length).toBeGreaterThan(85);
    const isKnown = (text: string) => quotedTexts(text).some((part) => guide.includes(part));
    // Users never see these: they end a wait, or are the signal for a platform to fetch a new token,
    // or the program could not be written so.
    expect(errors.filter((texts) => !texts.some(isKnown)).toSorted()).toEqual([
      ['No time to explain the empty output'],
      ['The access token has expired.'],
      ['The access token is about to expire.'],
      ['The service refused the access token.'],
      ['… has no fields.'],
    ]);
  });
});
