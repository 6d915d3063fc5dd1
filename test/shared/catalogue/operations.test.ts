import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { operations } from '@screen-advertising/core';
import { formFields } from '@screen-advertising/core/forms';
import { read, root } from '../../structure/project.ts';

const all = Object.values(operations);
const folder = 'shared/src/catalogue';
const described = readdirSync(join(root, folder))
  .map((file) => `${folder}/${file}`)
  .filter((path) => read(path).includes(' = operation({'));

describe('operations', () => {
  it.each(described)(`of %s are in the tree of ${folder}/index.ts`, (path) => {
    expect(read(`${folder}/index.ts`)).toContain(path.replace(folder, "from '.").concat("'"));
  });

  it('are all safe to retry when they only read', () => {
    for (const { method, recovery } of all) expect(recovery === 'resend').toBe(method === 'GET');
  });

  it('have a field for each placeholder of their path', () => {
    for (const operation of all) {
      const inPath = formFields(operation).filter((field) => field.in === 'path');
      const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(inPath.map(({ name }) => name)).toEqual(placeholders);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });
});
