import type { CallExpression, Node } from '@babel/types';
import { childrenOf, rootOf } from './syntax.ts';

/**
 * Where a helper of tests registers hooks on import or in a constructor, each as `path:line what`.
 * Who reads the test does not see them.
 */
export function hiddenHooks(path: string, program: Node): string[] {
  const found: string[] = [];
  const look = (node: Node, where: string | undefined): void => {
    if (where && isHook(node)) {
      found.push(`${path}:${node.loc?.start.line} registers ${rootOf(node)} ${where}`);
    }
    for (const child of childrenOf(node)) look(child, whereIn(child, node, where));
  };
  look(program, 'on import');
  return found;
}

const inConstructor = 'in a constructor';

/** A function that is called by name is seen, one that is passed on belongs to what surrounds it. */
function whereIn(node: Node, parent: Node, where: string | undefined): string | undefined {
  if (where === inConstructor) return where;
  if (node.type === 'ClassProperty') return inConstructor;
  if (node.type === 'ClassMethod') return node.kind === 'constructor' ? inConstructor : undefined;
  const isFunction = /^(?:Function|ArrowFunction|ObjectMethod)/.test(node.type);
  return isFunction && parent.type !== 'CallExpression' ? undefined : where;
}

function isHook(node: Node): node is CallExpression {
  return node.type === 'CallExpression' && /^(?:before|after)(?:Each|All)$/.test(rootOf(node));
}
