import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript-5.9';
import type { EmptyProject } from '../../../empty-project.ts';

export type Compiler = typeof ts;

/** A position in a file of the project. */
export interface Place {
  readonly name: string;
  readonly file: string;
  readonly offset: number;
}

const options = (ts: Compiler): ts.CompilerOptions => ({
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  strict: true,
  noEmit: true,
});

/** What an editor asks about files of the project. */
export function editor(ts: Compiler, folder: string, files: readonly string[]): ts.LanguageService {
  return ts.createLanguageService({
    getCompilationSettings: () => options(ts),
    getScriptFileNames: () => [...files],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });
}

/** The compiler of the project with this version, with its own language service. */
export function compilerOf(folder: string, version: string): Compiler {
  return createRequire(join(folder, 'package.json'))(`typescript-${version}`);
}

function moduleOf(ts: Compiler, folder: string, file: string): [ts.TypeChecker, ts.Symbol] {
  const program = editor(ts, folder, [file]).getProgram();
  const source = program?.getSourceFile(file);
  const first = source?.statements[0];
  if (!program || !first || !ts.isImportDeclaration(first))
    throw new Error(`${file} has no import.`);
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(first.moduleSpecifier);
  if (!symbol) throw new Error(`${file} imports nothing.`);
  return [checker, symbol];
}

/** Writes a file that uses every member which a module gives access to, and returns their places. */
export function writeUses(
  ts: Compiler,
  { folder, write }: EmptyProject,
  module: string,
  name: string,
): readonly Place[] {
  const file = join(folder, name);
  const head = `import * as core from '${module}';\n`;
  write(name, head);
  const places: Place[] = [];
  let text = head;
  for (const { owner, member } of namesOf(ts, ...moduleOf(ts, folder, file))) {
    text += `(0 as unknown as ${owner})['`;
    places.push({ name: `${owner}.${member}`, file, offset: text.length });
    text += `${member}'];\n`;
  }
  write(name, text);
  return places;
}

/** A member of a type, as a program would write both. */
interface Name {
  readonly owner: string;
  readonly member: string;
}

/** Where members of the package are declared. */
const own = '/@screen-advertising/core/';

/**
 * Every member that a program can reach from what a module exports: over parameters, results, and
 * fields, as the compiler sees their types.
 */
function namesOf(ts: Compiler, checker: ts.TypeChecker, module: ts.Symbol): Name[] {
  const concrete = ts.TypeFlags.Object | ts.TypeFlags.Intersection;
  const all: Name[] = [];
  const seen = new Set<ts.Type>();
  const exported = new Map(
    checker.getExportsOfModule(module).map((symbol) => {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
      return [symbol.name, isAlias ? checker.getAliasedSymbol(symbol) : symbol];
    }),
  );

  /** The text of a type that is exported by name. */
  const named = (symbol: ts.Symbol | undefined): string | undefined =>
    symbol && exported.get(symbol.name) === symbol ? `core.${symbol.name}` : undefined;

  function visitUnion(types: readonly ts.Type[], text: string): void {
    const objects = types.filter(({ flags }) => flags & ts.TypeFlags.Object);
    for (const one of objects) {
      const name = named(one.aliasSymbol) ?? named(one.symbol);
      if (name || objects.length === 1) visit(one, name ?? `Extract<${text}, object>`);
    }
  }

  function visit(given: ts.Type, text: string): void {
    const constraint = given.isTypeParameter() ? checker.getBaseConstraintOfType(given) : given;
    const type = checker.getNonNullableType(constraint ?? given);
    if (type.isUnion()) visitUnion(type.types, text);
    if (!(type.flags & concrete) || seen.has(type)) return;
    seen.add(type);
    if (checker.isArrayType(type)) {
      const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
      if (item) visit(item, `${text}[number]`);
    }
    for (const member of checker.getPropertiesOfType(type)) visitMember(member, text);
    const [signature] = type.getCallSignatures();
    if (!signature) return;
    for (const [index, parameter] of signature.getParameters().entries()) {
      visit(checker.getTypeOfSymbol(parameter), `NonNullable<Parameters<${text}>[${index}]>`);
    }
    const result = signature.getReturnType();
    visit(result, `NonNullable<ReturnType<${text}>>`);
    visit(checker.getAwaitedType(result) ?? result, `NonNullable<Awaited<ReturnType<${text}>>>`);
  }

  function visitMember(member: ts.Symbol, owner: string): void {
    const isOwn = member.declarations?.some((one) => one.getSourceFile().fileName.includes(own));
    if (!isOwn || !/^[a-z][\w.]*$/i.test(member.name) || member.name === 'prototype') return;
    all.push({ owner, member: member.name });
    const text = `NonNullable<(${owner})['${member.name}']>`;
    visit(checker.getTypeOfSymbol(member), text);
  }

  for (const [name, symbol] of exported) {
    if (symbol.flags & ts.SymbolFlags.Value) {
      visit(checker.getTypeOfSymbol(symbol), `typeof core.${name}`);
    }
    if (symbol.flags & ts.SymbolFlags.Type) {
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const parameters =
        type.aliasTypeArguments ?? checker.getTypeArguments(type as ts.TypeReference);
      const given = parameters.length > 0 ? `<${parameters.map(() => 'never').join(', ')}>` : '';
      visit(type, `core.${name}${given}`);
    }
  }
  return all;
}
