import type { ArrowFunctionExpression, CallExpression, ImportSpecifier, Node } from '@babel/types';
import { childrenOf, rootOf, walk } from './syntax.ts';

/** Assertions of a test file that may never run, each as `path:line what`. */
export function idleAssertions(path: string, program: Node): string[] {
  const found: string[] = [];
  const report = (node: Node, what: string) =>
    found.push(`${path}:${node.loc?.start.line} ${what}`);

  const isOpen = isOpenLoop(constantsOf(program));
  walk(program, (node) => {
    if (isCatch(node) && has(node, isAssertion))
      report(node, 'asserts only if something is thrown');
    if (!isTest(node)) return;
    const loops = outermost(node, isOpen).filter((loop) => has(loop, isAssertion));
    if (loops.length > 0 && outermost(node, isAssertion, isOpen).length === 0) {
      report(node, 'asserts only in a loop over a list that may be empty');
    }
  });
  return found;
}

/** `catch (error) {}`, and a function given to `.catch()`. */
function isCatch(node: Node): boolean {
  if (node.type === 'CatchClause') return true;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { property } = node.callee;
  return property.type === 'Identifier' && property.name === 'catch';
}

/** `expect(…)`, or a function of `node:assert`. */
function isAssertion(node: Node): boolean {
  if (node.type !== 'CallExpression') return false;
  return ['expect', 'assert'].includes(rootOf(node.callee));
}

/** `it(…)`, `it.each(…)(…)` with a function. */
function isTest(node: Node): boolean {
  if (node.type !== 'CallExpression' || rootOf(node.callee) !== 'it') return false;
  return functionsOf(node).length > 0;
}

function functionsOf(node: Node): ArrowFunctionExpression[] {
  const { arguments: given } = node as CallExpression;
  return given.filter((one) => one.type === 'ArrowFunctionExpression');
}

/** A loop over anything but a list that this file contains, is imported, or a row of a table. */
const isOpenLoop = (written: ReadonlySet<string>) => (node: Node) =>
  node.type === 'ForOfStatement' && !isWritten(node.right, written);

/** A list or an object with members, a constant that holds one, or what `Object` reads from it. */
function isWritten(node: Node, written: ReadonlySet<string>): boolean {
  if (node.type === 'TSAsExpression') return isWritten(node.expression, written);
  if (node.type === 'Identifier') return written.has(node.name);
  if (node.type === 'ArrayExpression') {
    return node.elements.some((one) => one !== null && one.type !== 'SpreadElement');
  }
  if (node.type === 'ObjectExpression') {
    return node.properties.some(({ type }) => type !== 'SpreadElement');
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { object, property } = node.callee;
  if (property.type === 'Identifier' && property.name === 'entries' && isWritten(object, written)) {
    return true;
  }
  const [argument] = node.arguments;
  return argument !== undefined && rootOf(object) === 'Object' && isWritten(argument, written);
}

function constantsOf(program: Node): Set<string> {
  const written = new Set<string>();
  const add = (node: Node) => {
    if (node.type === 'Identifier') written.add(node.name);
    if (node.type === 'RestElement') add(node.argument);
  };
  walk(program, (node) => {
    if (/^Import.*Specifier$/.test(node.type)) add((node as ImportSpecifier).local);
    if (isTest(node))
      for (const { params } of functionsOf(node)) for (const one of params) add(one);
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return;
    if (node.init && isWritten(node.init, written)) add(node.id);
  });
  return written;
}

function has(node: Node, is: (node: Node) => boolean): boolean {
  return outermost(node, is).length > 0;
}

/** The nodes below that match, without those inside of them and inside of others. */
function outermost(
  node: Node,
  is: (node: Node) => boolean,
  excepted: (node: Node) => boolean = () => false,
): Node[] {
  return childrenOf(node).flatMap((child) =>
    is(child) ? [child] : excepted(child) ? [] : outermost(child, is, excepted),
  );
}
