import { parseSync } from '@swc/core';

export interface Import {
  /** As written: `./x.ts`, `node:crypto`, `zod/mini`. */
  readonly specifier: string;
  /** Exported names that are asked for; `*` for all of them. */
  readonly names: readonly string[];
}

export interface SourceFile {
  readonly imports: readonly Import[];
  /** Where each exported name that is only passed on comes from: name → import specifier. */
  readonly passedOn: ReadonlyMap<string, string>;
  /** Every identifier that is no member name: `process` in `process.env`, not in `x.process`. */
  readonly identifiers: ReadonlySet<string>;
  readonly hasAny: boolean;
}

/** Reads what a TypeScript file imports and names, types included; comments do not count. */
export function readSourceFile(text: string): SourceFile {
  const imports: Import[] = [];
  const passedOn = new Map<string, string>();
  const identifiers = new Set<string>();
  let hasAny = false;

  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      for (const child of node) visit(child);
      return;
    }
    if (!isNode(node)) return;
    const found = readImport(node);
    if (found) imports.push(found);
    if (node.type === 'ExportNamedDeclaration' && found) {
      for (const name of exportedNames(node)) passedOn.set(name, found.specifier);
    }
    if (node.type === 'Identifier' && 'optional' in node) identifiers.add(String(node.value));
    if (node.type === 'TsKeywordType' && node.kind === 'any') hasAny = true;
    visit(Object.values(node));
  };
  visit(parseSync(text, { syntax: 'typescript', target: 'es2024' }).body);
  return { imports, passedOn, identifiers, hasAny };
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function nodes(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function textOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.value === 'string' ? node.value : undefined;
}

function readImport(node: Node): Import | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
      return at(node.source, nodes(node.specifiers).map(askedName));
    case 'ExportAllDeclaration':
      return at(node.source, ['*']);
    case 'TsImportType':
      return at(node.argument, ['*']);
    case 'TsExternalModuleReference':
      return at(node.expression, ['*']);
    case 'CallExpression':
      return isLoad(node.callee) ? at(nodes(node.arguments)[0]?.expression, ['*']) : undefined;
    default:
      return undefined;
  }
}

/** An import for its effects alone names nothing, and runs all there is. */
function at(source: unknown, names: readonly string[]): Import | undefined {
  const specifier = textOf(source);
  if (specifier === undefined) return undefined;
  return { specifier, names: names.length > 0 ? names : ['*'] };
}

function isLoad(callee: unknown): boolean {
  return isNode(callee) && (callee.type === 'Import' || textOf(callee) === 'require');
}

function askedName(specifier: Node): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  return textOf(specifier.imported ?? specifier.orig ?? specifier.local) ?? '*';
}

function exportedNames(node: Node): string[] {
  return nodes(node.specifiers).flatMap(({ exported, orig }) => textOf(exported ?? orig) ?? []);
}
