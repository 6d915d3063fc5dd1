import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { events, type Operation, operations } from '@screen-advertising/core';
import { type CatalogueEntry, compoundOperations } from '@screen-advertising/core/availability';
import { formFields, recordFields } from '@screen-advertising/core/forms';
import * as z from 'zod/mini';
import { utmFields } from '../../shared/src/catalogue/landing-links.ts';
import { read, root } from '../structure/project.ts';
import { eventNames } from '../support/catalogue-names.ts';

const folder = 'shared/src/types';
const sources = globSync('*.ts', { cwd: join(root, folder) })
  .map((name) => read(`${folder}/${name}`))
  .join('\n');

const plain = (comment = '') => comment.replace(/\s*\n\s*\* ?/g, ' ').trim();
const sentence = (text = '') => (/[.:]$/.test(text) ? text : `${text}.`);
const pascalCase = (name: string) =>
  name.replace(/(?:^|[ ._])(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** The texts of the members of an interface by name, with those that it inherits. */
function textsOf(name: string): Record<string, string> {
  const found = new RegExp(`export (?:interface|type) ${name}\\b([^{]*)\\{(.*?)\\n\\}`, 's').exec(
    sources,
  );
  if (!found) throw new Error(`No interface ${name}`);
  const [, heritage = '', body = ''] = found;
  const bases = /extends ([\w, ]+)/.exec(heritage)?.[1]?.split(/,\s*/) ?? [];
  const own = body.matchAll(/\/\*\*(.*?)\*\/\s+(?:readonly )?'?([\w.]+)'?(?:\?|:|<|\()/gs);
  return Object.assign(
    {},
    ...bases.map((base) => textsOf(base.trim())),
    Object.fromEntries([...own].map(([, text, member = '']) => [member, plain(text)])),
  );
}

/** Those of these fields, as `FormField` and `RecordField` describe them. */
const described = (fields: readonly { name: string; description: string }[]) =>
  Object.fromEntries(fields.map(({ name, description }) => [name, sentence(description)]));

const requests = Object.values<Operation>(operations);
const compound = Object.values<CatalogueEntry>(compoundOperations);
const entries = [...requests, ...compound].map((entry) => [entry.name, entry] as const);

describe('what an editor shows', () => {
  it.each(entries)('of the fields of %s is what forms say', (name, entry) => {
    const record = pascalCase(z.globalRegistry.get(entry.output)?.title ?? '');
    expect(textsOf(`${pascalCase(name)}Params`)).toMatchObject(described(formFields(entry)));
    expect(textsOf(record)).toEqual(described(recordFields(entry)));
  });

  it.each(requests.map((entry) => [entry.name, entry] as const))(
    'of %s is its description, the section of the specification, and its scopes',
    (name, { description, resource, scopes, section }) => {
      const any = scopes.map((scope) => `\`${scope}\``).join(' or ');
      const text = `${description} Section ${section}; scope ${any}.`;
      const group = resource.plural.replaceAll(' ', '');
      expect(textsOf(`${group}Api`)).toHaveProperty([name.split('.')[1] ?? ''], text);
      expect(textsOf('Operations')).toHaveProperty([name], description);
      const property = group.charAt(0).toLowerCase() + group.slice(1);
      expect(textsOf('ResourceApis')).toHaveProperty([property], resource.description);
    },
  );

  it('of the UTM parameters of a landing link is what they mean', () => {
    expect(textsOf('LandingLinkCreateParams')).toMatchObject(utmFields);
  });

  it.each(compound.map((entry) => [entry.name, entry.description]))(
    'of %s is its description',
    (name, description) => {
      expect(textsOf('CompoundOperations')).toHaveProperty([name], description);
    },
  );

  it.each(eventNames)('of the data of %s is what its fields mean', (name) => {
    const { description, fields, sample } = events[name];
    expect(textsOf(`${pascalCase(name)}Data`)).toEqual(fields);
    expect(textsOf('EventKinds')).toHaveProperty([name], description.replace('Triggers', 'Sent'));
    const data = new RegExp(`interface ${pascalCase(name)}Data \\{(.*?)\\n\\}`, 's').exec(sources);
    const types = [...(data?.[1] ?? '').matchAll(/readonly (\w+)\?: (\w+) \| null \| undefined;/g)];
    const ofSample = Object.entries(sample).map(([field, value]) => [field, typeof value]);
    expect(types.map(([, field, type]) => [field, type])).toEqual(ofSample);
  });
});
