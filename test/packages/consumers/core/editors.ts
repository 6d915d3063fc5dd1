import { join } from 'node:path';
import type { EmptyProject } from '../../empty-project.ts';
import { run } from '../../run.ts';
import type { Consumer } from './consumer.ts';
import { compilerOf, editor, type Place, writeUses } from './editor/hover.ts';
import { mistakes, programWith } from './editor/mistakes.ts';

/** The modules whose every name has a text, and the fewest names that a program can reach there. */
const modules = { '@screen-advertising/core': 700, '@screen-advertising/core/relay': 100 };

/** The version whose language service shows the texts. */
const documented = '5.9.3';

const packageOf = (version: string) => `typescript-${version}@npm:typescript@${version}`;
const tscOf = (folder: string, version: string) =>
  join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc');

/** Throws for a name that an editor shows without a text. */
function checkTexts(places: readonly Place[], texts: readonly string[], fewest: number): void {
  const bare = places.filter((_, index) => !texts[index]).map(({ name }) => name);
  if (bare.length > 0) throw new Error(`Names without a hover text:\n${bare.join('\n')}`);
  if (places.length < fewest) throw new Error(`Only ${places.length} names have a hover text.`);
}

/** What editors show: every name that a program can reach has a text. */
const hoverTexts: Consumer = {
  packages: [],
  async use(project) {
    const ts = compilerOf(project.folder, documented);
    for (const [index, [module, fewest]] of Object.entries(modules).entries()) {
      const places = writeUses(ts, project, module, `uses-${index}.mts`);
      const file = places[0]?.file ?? '';
      const service = editor(ts, project.folder, [file]);
      const [problem] = service.getSemanticDiagnostics(file);
      if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
      const texts = places.map(({ offset }) =>
        ts.displayPartsToString(service.getQuickInfoAtPosition(file, offset)?.documentation),
      );
      checkTexts(places, texts, fewest);
    }
  },
};

/** Each mistake has one error of at most three lines, which says what is wrong. */
async function checkMistakes({ folder, write }: EmptyProject, version: string): Promise<void> {
  const files = mistakes.map((_, index) => `mistake-${version}-${index}.mts`);
  for (const [index, mistake] of mistakes.entries())
    write(files[index] ?? '', programWith(mistake));
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'esnext,dom'];
  const more = ['--types', 'node', '--strict', '--noEmit', '--pretty', 'false'];
  const printed = await run(
    'node',
    [tscOf(folder, version), ...options, ...more, ...files],
    folder,
  ).catch(({ message }: Error) => message);
  for (const [index, { code, says }] of mistakes.entries()) {
    const errors = printed.split(/^(?=\S)/m).filter((text) => text.startsWith(`${files[index]}(`));
    const [error = ''] = errors;
    const isClear = says.every((words) => error.includes(words));
    if (errors.length !== 1 || error.trim().split('\n').length > 3 || !isClear) {
      throw new Error(`TypeScript ${version} says of ${code}\n${errors.join('')}`);
    }
  }
}

const clearErrors = (version: string): Consumer => ({
  packages: [packageOf(version)],
  use: (project) => checkMistakes(project, version),
});

export const editors: Readonly<Record<string, Consumer>> = {
  'hover texts': hoverTexts,
  'clear errors in TypeScript 5.4.5': clearErrors('5.4.5'),
  'clear errors in TypeScript 5.9.3': clearErrors(documented),
  'clear errors in TypeScript 7.0.2': clearErrors('7.0.2'),
};
