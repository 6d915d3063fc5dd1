import { join } from 'node:path';
import type { EmptyProject } from '../../empty-project.ts';
import { runBeside } from '../../run.ts';
import type { Consumer } from './consumer.ts';
import { compilerOf, editor, type Place, writeUses } from './editor/hover.ts';
import { hoverTexts } from './editor/language-server.ts';
import { mistakes, programWith } from './editor/mistakes.ts';

/** The modules whose every name has a text, and the fewest names that a program can reach there. */
const modules = { '@screen-advertising/core': 700, '@screen-advertising/core/relay': 100 };

const packageOf = (version: string) => `typescript-${version}@npm:typescript@${version}`;
const tscOf = (folder: string, version: string) =>
  join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc');

/** Throws for a name that an editor shows without a text. */
function checkTexts(places: readonly Place[], texts: readonly string[], fewest: number): void {
  const bare = places.filter((_, index) => !texts[index]).map(({ name }) => name);
  if (bare.length > 0) throw new Error(`Names without a hover text:\n${bare.join('\n')}`);
  if (places.length < fewest) throw new Error(`Only ${places.length} names have a hover text.`);
}

/** Names that are used at these places of a file, and what their declarations must show. */
const definitions: Readonly<Record<string, string>> = {
  "(core.Client)['coupons']>)['create": 'Creates a discount coupon for a lead.',
  "['discount_type": 'How the discount is measured.',
  "['redeemed_at": 'When the coupon was redeemed.',
};

/** A language service within the editor, as TypeScript had until version 6. */
function languageService(version: string): Consumer {
  return {
    packages: [packageOf(version)],
    async use(project) {
      const ts = compilerOf(project.folder, version);
      for (const [index, [module, fewest]] of Object.entries(modules).entries()) {
        const places = writeUses(ts, project, module, `uses-${version}-${index}.mts`);
        const file = places[0]?.file ?? '';
        const service = editor(ts, project.folder, [file]);
        const [problem] = service.getSemanticDiagnostics(file);
        if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
        const texts = places.map(({ offset }) =>
          ts.displayPartsToString(service.getQuickInfoAtPosition(file, offset)?.documentation),
        );
        checkTexts(places, texts, fewest);
        if (index === 0) checkDefinitions(service, file);
      }
      await checkMistakes(project, version);
    },
  };
}

/** "Go to definition" leads to a declaration with its text above. */
function checkDefinitions(service: ReturnType<typeof editor>, file: string): void {
  const source = service.getProgram()?.getSourceFile(file)?.text ?? '';
  for (const [use, text] of Object.entries(definitions)) {
    const offset = source.indexOf(`${use}']`) + use.length - 1;
    const [found] = service.getDefinitionAtPosition(file, offset) ?? [];
    const declared = found && service.getProgram()?.getSourceFile(found.fileName)?.text;
    const { start = 0 } = found?.contextSpan ?? found?.textSpan ?? {};
    const above = declared?.slice(0, start).split('/**').at(-1) ?? '';
    if (!above.includes(text)) throw new Error(`The definition of ${use} is not documented.`);
  }
}

/** Each mistake has one error of at most three lines, which says what is wrong. */
async function checkMistakes({ folder, write }: EmptyProject, version: string): Promise<void> {
  const files = mistakes.map((_, index) => `mistake-${version}-${index}.mts`);
  for (const [index, mistake] of mistakes.entries())
    write(files[index] ?? '', programWith(mistake));
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'esnext,dom'];
  const more = ['--types', 'node', '--strict', '--noEmit', '--pretty', 'false'];
  const printed = await runBeside(
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

/** Version 7 is a server beside the editor; the walk over the names is that of version 5.9. */
const languageServer: Consumer = {
  packages: [packageOf('5.9.3'), packageOf('7.0.2')],
  async use(project) {
    const { folder } = project;
    const ts = compilerOf(folder, '5.9.3');
    for (const [index, [module, fewest]] of Object.entries(modules).entries()) {
      const places = writeUses(ts, project, module, `uses-7-${index}.mts`);
      checkTexts(places, await hoverTexts(tscOf(folder, '7.0.2'), folder, places), fewest);
    }
    await checkMistakes(project, '7.0.2');
  },
};

export const editors: Readonly<Record<string, Consumer>> = {
  'hover texts and clear errors in TypeScript 5.4.5': languageService('5.4.5'),
  'hover texts and clear errors in TypeScript 5.9.3': languageService('5.9.3'),
  'hover texts and clear errors in TypeScript 7.0.2': languageServer,
};
