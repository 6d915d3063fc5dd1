import { join } from 'node:path';
import { emptyProject } from '../empty-project.ts';
import type { Tarball } from '../pack.ts';
import { run } from '../run.ts';

const program = `
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';

const sandbox: Sandbox = createSandbox({ screens: 3 });
const { url, baseUrl } = await sandbox.listen();
const [access] = sandbox.accesses;
const answer = await fetch(\`\${baseUrl}/screens\`, {
  headers: { authorization: \`Bearer \${access?.apiKey}\` },
});
const { data } = (await answer.json()) as { data: unknown[] };
const page = await fetch(url);
const script = await (await fetch(\`\${url}/inspector/inspector.js\`)).text();
new Function(script);
console.log(answer.status, data.length, page.status);
await sandbox.close();
`;

const commonJs = `
import { createSandbox, ProblemResponseError, type Sandbox } from '@screen-advertising/sandbox';

const sandbox: Sandbox = createSandbox({ screens: 3 });
export const isRefused = (error: unknown) => error instanceof ProblemResponseError;
void sandbox.close();
`;

export function trySandbox(folder: string, core: Tarball, sandbox: Tarball): void {
  const packages = [core.file, sandbox.file, '@types/node@24.19.2'];
  const project = emptyProject(folder, 'sandbox-consumer', packages);
  project.write('program.ts', program);
  project.compile('program.ts');
  const printed = project.node('program.ts');
  if (!/^200 \d 200\n$/.test(printed)) throw new Error(`The program printed:\n${printed}`);

  project.write('program.cts', commonJs);
  project.compile('program.cts', 'node16');
  project.write(
    'program.cjs',
    `console.log(require('@screen-advertising/sandbox').ProblemResponseError.name);`,
  );
  const name = project.node('program.cjs');
  if (name !== 'ProblemResponseError\n') throw new Error(`CommonJS printed:\n${name}`);

  const command = join(project.folder, 'node_modules/.bin/screen-advertising-sandbox');
  const help = run(command, ['--help'], project.folder);
  if (!help.includes('--port')) throw new Error(`The help of the command is:\n${help}`);
  JSON.parse(run(command, ['openapi'], project.folder));
}
