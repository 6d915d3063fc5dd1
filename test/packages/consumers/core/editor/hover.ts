import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript-5.9';
import type { EmptyProject } from '../../../empty-project.ts';
import { type Compiler, namesOf } from './names.ts';

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
