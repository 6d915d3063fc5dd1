import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read, root } from '../structure/project.ts';
import { node, startProgram } from '../support/program.ts';
import { blocksIn } from './commands/typed.ts';

const guide = read('docs/developing.md');

let core = '';
beforeAll(async () => {
  core = await mkdtemp(join(tmpdir(), 'core-'));
  await cp(join(root, 'shared/src'), join(core, 'src'), { recursive: true });
  await writeFile(join(core, 'package.json'), '{"type":"module"}');
  await symlink(join(root, 'shared/node_modules'), join(core, 'node_modules'));
});
afterAll(() => rm(core, { recursive: true }));

describe('adding a field as the guide for developers says', () => {
  it('brings it into forms, schemas and calls with nothing but the piece that is shown', async () => {
    const [block] = blocksIn('docs/developing.md', guide).filter(
      ({ language }) => language === 'ts',
    );
    const file = join(core, 'src/catalogue/coupons.ts');
    const start = 'const couponFields = {\n';
    const source = await readFile(file, 'utf8');
    expect(source).toContain(start);
    await writeFile(file, source.replace(start, `${start}${block?.text}`));

    const program = `
      import { formFields, inputJsonSchema, operations } from './src/index.ts';
      const create = operations['coupon.create'];
      const field = formFields(create).find(({ name }) => name === 'note');
      const known = inputJsonSchema(create).properties?.note;
      const input = { discount_type: 'percent', discount_value: 5, lead_email: 'lead@example.com' };
      const accepted = create.input.safeParse({ ...input, note: 'Welcome' }).success;
      console.log(JSON.stringify({ title: field?.title, known: known !== undefined, accepted }));
    `;
    await writeFile(join(core, 'program.ts'), program);
    const { output, errors } = await startProgram(node, [join(core, 'program.ts')]).ended;
    expect(errors).toBe('');
    expect(JSON.parse(output)).toEqual({ title: 'Note', known: true, accepted: true });
  });
});
