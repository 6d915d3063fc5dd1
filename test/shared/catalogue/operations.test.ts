import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { events, operations } from '@screen-advertising/core';
import { type CatalogueEntry, compoundOperations } from '@screen-advertising/core/availability';
import { formFields, recordFields } from '@screen-advertising/core/forms';
import { read, root } from '../../structure/project.ts';
import {
  compoundNames,
  eventNames,
  formChoices,
  formLabels,
  operationNames,
  recordFieldNames,
} from '../../support/catalogue-names.ts';

const all = Object.values(operations);
const folder = 'shared/src/catalogue';
const described = readdirSync(join(root, folder))
  .map((file) => `${folder}/${file}`)
  .filter((path) => read(path).includes(' = defineOperation({'));

describe('operations', () => {
  it.each(described)(`of %s are in the tree of ${folder}/index.ts`, (path) => {
    expect(read(`${folder}/index.ts`)).toContain(path.replace(folder, "from '.").concat("'"));
  });

  it('and events are those of catalogue-names.ts', () => {
    expect(Object.keys(operations)).toEqual(operationNames);
    expect(Object.keys(compoundOperations)).toEqual(compoundNames);
    expect(Object.keys(events)).toEqual(eventNames);
  });

  it('have the fields, labels and choices of catalogue-names.ts', () => {
    const entries: CatalogueEntry[] = [...all, ...Object.values(compoundOperations)];
    const byName = <Value>(of: (entry: CatalogueEntry) => Value) =>
      Object.fromEntries(entries.map((entry) => [entry.name, of(entry)]));
    const labels = byName((entry) =>
      Object.fromEntries(formFields(entry).map(({ name, title }) => [name, title])),
    );
    expect(labels).toEqual(formLabels);
    expect(byName((entry) => recordFields(entry).map(({ name }) => name))).toEqual(
      recordFieldNames,
    );
    const choices = entries.flatMap((entry) =>
      formFields(entry).flatMap(({ name, choices }) =>
        choices ? [[`${entry.name}.${name}`, choices.map(({ value }) => value)] as const] : [],
      ),
    );
    expect(Object.fromEntries(choices)).toEqual(formChoices);
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
