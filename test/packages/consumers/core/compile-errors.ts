import { join } from 'node:path';
import type { EmptyProject } from '../../empty-project.ts';
import { runBeside } from '../../run.ts';
import type { Consumer } from './consumer.ts';
import { mistakes, programWith } from './mistakes.ts';

/** Each mistake has one error of at most three lines, which says what is wrong. */
async function checkMistakes({ folder, write }: EmptyProject, version: string): Promise<void> {
  const tsc = join(folder, 'node_modules', `typescript-${version}`, 'bin/tsc');
  const files = mistakes.map((_, index) => `mistake-${version}-${index}.mts`);
  for (const [index, mistake] of mistakes.entries())
    write(files[index] ?? '', programWith(mistake));
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'esnext,dom'];
  const more = ['--types', 'node', '--strict', '--noEmit', '--pretty', 'false'];
  const printed = await runBeside('node', [tsc, ...options, ...more, ...files], folder).catch(
    ({ message }: Error) => message,
  );
  for (const [index, { code, says }] of mistakes.entries()) {
    const errors = printed.split(/^(?=\S)/m).filter((text) => text.startsWith(`${files[index]}(`));
    const [error = ''] = errors;
    const isClear = says.every((words) => error.includes(words));
    if (errors.length !== 1 || error.trim().split('\n').length > 3 || !isClear) {
      throw new Error(`TypeScript ${version} says of ${code}\n${errors.join('')}`);
    }
  }
}

const compiler = (version: string): Consumer => ({
  packages: [`typescript-${version}@npm:typescript@${version}`],
  use: (project) => checkMistakes(project, version),
});

export const compileErrors: Readonly<Record<string, Consumer>> = {
  'clear errors in TypeScript 5.4.5': compiler('5.4.5'),
  'clear errors in TypeScript 5.9.3': compiler('5.9.3'),
  'clear errors in TypeScript 7.0.2': compiler('7.0.2'),
};
