import type { CallExpression, Node } from '@babel/types';
import { childrenOf, rootOf, walk } from './syntax.ts';

/**
 * Where a test takes what it expects, or the rows of its table, from a list of the product or from
 * a text that is written from it, each as `path:line what`. What is gone from such a list is gone
 * from the test, too.
 */
export function borrowedValues(path: string, program: Node): string[] {
  const imported = new Set<string>();
  const borrowed = new Set<string>();
  const reads = new Set<string>();
  walk(program, (node) => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return;
    const from = node.source.value;
    const names = node.specifiers.map(({ local }) => local.name);
    if (isProduct.test(from)) for (const name of names) imported.add(name);
    if (/\/project\.ts$/.test(from)) for (const name of names) reads.add(name);
  });

  const isBorrowed = (node: Node): boolean =>
    isList(node, imported) ||
    isRead(node, reads) ||
    (node.type === 'Identifier' && borrowed.has(node.name)) ||
    valuesIn(node).some(isBorrowed);

  for (let known = -1; known < borrowed.size; ) {
    known = borrowed.size;
    walk(program, (node) => {
      if (node.type !== 'VariableDeclarator' || !node.init || isFunction(node.init)) return;
      if (isBorrowed(node.init)) for (const name of namesOf(node.id)) borrowed.add(name);
    });
  }

  const found = new Set<string>();
  walk(program, (node) => {
    if (node.type !== 'CallExpression' || !node.arguments.some(isBorrowed)) return;
    const what = isMatcher(node) ? 'expects' : isEach(node) ? 'has rows of' : '';
    if (what) found.add(`${path}:${node.loc?.start.line} ${what} what the product lists`);
  });
  return [...found];
}

const isProduct = /^@screen-advertising\/|\/packages\/[\w-]+\/|\/shared\/src\//;

/** `Object.keys(list)`, `list.map(…)` or `...list`. */
function isList(node: Node, imported: ReadonlySet<string>): boolean {
  const isImported = (value: Node | undefined): boolean =>
    value !== undefined &&
    (value.type === 'ObjectExpression'
      ? value.properties.some((one) => one.type === 'SpreadElement' && isImported(one.argument))
      : value.type !== 'CallExpression' && imported.has(rootOf(value)));
  if (node.type === 'ArrayExpression') {
    return node.elements.some((one) => one?.type === 'SpreadElement' && isImported(one.argument));
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property } = node.callee;
  if (property.type !== 'Identifier') return false;
  if (rootOf(object) === 'Object') {
    return /^(keys|values|entries)$/.test(property.name) && isImported(node.arguments[0]);
  }
  return /^(map|flatMap|filter|toSorted)$/.test(property.name) && isImported(object);
}

/** `read('packages/relay/README.md')`: a source or a text; not a manifest, which has the version. */
function isRead(node: Node, reads: ReadonlySet<string>): boolean {
  if (node.type !== 'CallExpression' || !reads.has(rootOf(node.callee))) return false;
  const [file] = node.arguments;
  return file?.type === 'StringLiteral' && /^(?:packages|shared)\/.*\.(?:ts|md)$/.test(file.value);
}

function isMatcher({ callee }: CallExpression): boolean {
  return callee.type === 'MemberExpression' && rootOf(callee) === 'expect';
}

function isEach({ callee }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  return callee.property.name === 'each' && /^(?:it|describe)$/.test(rootOf(callee));
}

const isFunction = ({ type }: Node) => /^(?:Arrow)?FunctionExpression$/.test(type);

/** Without the names of properties. */
function valuesIn(node: Node): Node[] {
  if (node.type === 'MemberExpression' && !node.computed) return [node.object];
  return node.type === 'ObjectProperty' ? [node.value] : childrenOf(node);
}

function namesOf(node: Node): string[] {
  if (node.type === 'Identifier') return [node.name];
  return valuesIn(node).flatMap(namesOf);
}
