import { parse } from '@babel/parser';
import { type Node, traverseFast } from '@babel/types';

/** Messages in the first column of every table with a column of messages. */
export function messagesIn(markdown: string): string[] {
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
export function quotedTexts(message: string): string[] {
  return message
    .split(/…|[()]|\.(?:\s|$)|:\s/)
    .map((text) => text.replace(/^[,.\s]+|[,.\s]+$/g, ''))
    .filter((text) => /\w+\W+\w+/.test(text) && !/^status$/.test(text));
}

/** The texts of every error that these sources create, with `…` for the variable parts. */
export function errorsIn(sources: readonly string[]): string[][] {
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
