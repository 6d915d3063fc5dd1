import { createRequire } from 'node:module';
import { join } from 'node:path';
import { read, root } from '../../structure/project.ts';

type TypeScript =
  typeof import('../../../packages/n8n-nodes-screen-advertising/node_modules/typescript/lib/typescript.js');

/** The last TypeScript with a language service in JavaScript, which n8n's linter brings along. */
const ts = createRequire(join(root, 'packages/n8n-nodes-screen-advertising/package.json'))(
  'typescript',
) as TypeScript;

const file = join(root, 'test/shared/program.ts');

export interface Shown {
  /** The compiler's errors, on one line each. */
  readonly errors: string[];
  /** The type and the comment that an editor shows at each name after a mark. */
  readonly hovers: { readonly type: string; readonly text: string }[];
}

const mark = '/*?*/';

/** What an editor shows for programs that begin with the same lines. One pass checks them all. */
export function showPrograms(start: string, programs: readonly string[]): Shown[] {
  const blocks = programs.map((program) => `{ ${program} }\n`);
  const text = [start, ...blocks].join('');
  const service = serviceFor(text);
  const diagnostics = service.getSemanticDiagnostics(file);
  let end = start.length;
  return blocks.map((block) => {
    const from = end;
    end += block.length;
    const marks = [...text.slice(from, end).matchAll(/\/\*\?\*\//g)];
    return {
      errors: diagnostics
        .filter(({ start: at = -1 }) => at >= from && at < end)
        .map(({ messageText }) => flat(ts.flattenDiagnosticMessageText(messageText, ' '))),
      hovers: marks.map(({ index }) => {
        const info = service.getQuickInfoAtPosition(file, from + index + mark.length);
        return {
          type: flat(ts.displayPartsToString(info?.displayParts)),
          text: flat(ts.displayPartsToString(info?.documentation)),
        };
      }),
    };
  });
}

function serviceFor(program: string): ReturnType<TypeScript['createLanguageService']> {
  const { compilerOptions } = JSON.parse(read('tsconfig.json')) as { compilerOptions: object };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, root);
  const { sys } = ts;
  const textOf = (path: string) => (path === file ? program : sys.readFile(path));
  return ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '',
    getScriptSnapshot: (path) => {
      const text = textOf(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, types: ['node'] }),
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    fileExists: (path) => path === file || sys.fileExists(path),
    readFile: textOf,
    readDirectory: sys.readDirectory,
    directoryExists: sys.directoryExists,
    ...(sys.realpath && { realpath: sys.realpath }),
  });
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
