import { parse } from '@babel/parser';
import { type File, type Node, VISITOR_KEYS } from '@babel/types';

export function programOf(source: string): File['program'] {
  return parse(source, { sourceType: 'module', plugins: ['typescript'] }).program;
}

/** The name that a chain of calls and members starts with. */
export function rootOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'CallExpression' ? rootOf(node.callee) : '';
}

export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of childrenOf(node)) walk(child, visit);
}

export function childrenOf(node: Node): Node[] {
  return (VISITOR_KEYS[node.type] ?? []).flatMap((key) =>
    [node[key as keyof Node] as unknown]
      .flat()
      .filter((child): child is Node => child !== null && child !== undefined),
  );
}
