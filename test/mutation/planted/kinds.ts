import type { Node } from '@babel/types';
import { childrenOf } from '../../structure/syntax.ts';

/** Replaces this part of a source. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** How a statement may be changed: every edit that fits. */
type Kind = (statement: Node, source: string) => Edit[];

const textOf = (node: Node, source: string) => source.slice(node.start ?? 0, node.end ?? 0);

const replaced = (node: Node, text: string): Edit => ({
  start: node.start ?? 0,
  end: node.end ?? 0,
  text,
});

/** The statement's own nodes: not those of statements inside of it, and no types. */
function ownNodes(node: Node): Node[] {
  const inside = childrenOf(node).filter(
    ({ type }) => !/^(TS|Class)|Statement$|Declaration$|^ImportAttribute/.test(type),
  );
  return [node, ...inside.flatMap(ownNodes)];
}

const invertCondition: Kind = (statement, source) =>
  ownNodes(statement).flatMap((node) => {
    const inverted = (test: Node) => replaced(test, `!(${textOf(test, source)})`);
    if (node.type === 'IfStatement' || node.type === 'WhileStatement') return inverted(node.test);
    if (node.type === 'ConditionalExpression') return inverted(node.test);
    if (node.type === 'LogicalExpression' && node.operator !== '??') return inverted(node.left);
    if (node.type !== 'BinaryExpression' || !/^[!=]==$/.test(node.operator)) return [];
    const operator = node.operator === '===' ? '!==' : '===';
    return replaced(node, `${textOf(node.left, source)} ${operator} ${textOf(node.right, source)}`);
  });

/** One more, or twice as much: no user notices a millisecond among minutes. */
const moved = (value: number) => `${value < 100 ? value + 1 : 2 * value}`;

const moveBound: Kind = (statement, source) =>
  ownNodes(statement).flatMap((node) => {
    if (node.type === 'NumericLiteral') return replaced(node, moved(node.value));
    if (node.type !== 'BinaryExpression' || !/^[<>]=?$/.test(node.operator)) return [];
    const operator = node.operator.length === 1 ? `${node.operator}=` : node.operator.slice(0, 1);
    return replaced(node, `${textOf(node.left, source)} ${operator} ${textOf(node.right, source)}`);
  });

const removeBranch: Kind = (statement, source) =>
  ownNodes(statement).flatMap((node) => {
    if (node.type === 'IfStatement') {
      return replaced(node, node.alternate ? textOf(node.alternate, source) : ';');
    }
    if (node.type === 'ConditionalExpression') {
      return replaced(node, `(${textOf(node.alternate, source)})`);
    }
    if (node.type !== 'LogicalExpression' || node.operator !== '??') return [];
    return replaced(node, `(${textOf(node.left, source)})`);
  });

const removable =
  /^(trim|toLowerCase|toUpperCase|toSorted|sort|filter|slice|replace|replaceAll|catch|flat)$/;

const removeCall: Kind = (statement, source) => {
  if (statement.type === 'ExpressionStatement') {
    const { expression } = statement;
    const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
    if (called.type === 'CallExpression') return [replaced(statement, ';')];
  }
  return ownNodes(statement).flatMap((node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
    const { object, property } = node.callee;
    if (property.type !== 'Identifier' || !removable.test(property.name)) return [];
    return replaced(node, textOf(object, source));
  });
};

const changeValue: Kind = (statement) =>
  ownNodes(statement).flatMap((node) => {
    const values =
      node.type === 'ObjectProperty'
        ? [node.value]
        : node.type === 'ArrayExpression'
          ? node.elements.filter((element) => element !== null)
          : [];
    return values.flatMap((value) => {
      if (value.type === 'NumericLiteral') return replaced(value, moved(value.value));
      if (value.type === 'BooleanLiteral') return replaced(value, `${!value.value}`);
      if (value.type !== 'StringLiteral') return [];
      return replaced(value, JSON.stringify(`${value.value}x`));
    });
  });

/** In this order; each draw starts with the next one. */
export const kinds: readonly (readonly [name: string, kind: Kind])[] = [
  ['condition inverted', invertCondition],
  ['bound moved', moveBound],
  ['branch removed', removeBranch],
  ['call removed', removeCall],
  ['value of a table changed', changeValue],
];
