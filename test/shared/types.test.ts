import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Operation } from '@screen-advertising/core';
import { formFields, recordFields } from '@screen-advertising/core/forms';
import * as z from 'zod/mini';
import { catalogue } from '../../shared/src/catalogue/index.ts';
import { type Shown, showPrograms } from './support/language-service.ts';

const start = `
  import { allFields, apiKey, createClient, operations } from '@screen-advertising/core';
  import { operation } from '../../shared/src/catalogue/operation.ts';
  const client = createClient({ baseUrl: '', auth: apiKey('') });
  const { recovery, method, ...getScreen } = operations['screen.get'];
`;

const methods = Object.entries(catalogue).flatMap(([group, operations]) =>
  Object.entries<Operation>(operations).map(([action, operation]) => ({
    method: `${group}.${action}`,
    operation,
    inputs: formFields(operation),
    outputs: recordFields(operation).filter(({ description }) => description !== ''),
  })),
);
const marked = (fields: readonly { name: string }[]) =>
  fields.map(({ name }) => `it./*?*/${name};`).join(' ');
const ofMethods = methods.map(({ method, operation, inputs, outputs }) => ({
  hover: `client.${method.replace('.', './*?*/')};`,
  input: `let it!: NonNullable<Parameters<typeof client.${method}>[0]>; ${marked(inputs)}`,
  output: `let it!: (typeof operations)['${operation.name}']['output']['_zod']['output']; ${marked(outputs)}`,
}));

/** The type named after the records of an operation. */
function resultOf({ output, responseKind }: Operation): string {
  const name = String(z.toJSONSchema(output).title).replaceAll(' ', '');
  return responseKind === 'record' ? `CallPromise<${name}>` : `PagePromise<${name}>`;
}

const create = (options: string) =>
  `createClient({ baseUrl: '', auth: apiKey(''), /*?*/${options} });`;
const options = [
  create('retry: { /*?*/attempts: 1, /*?*/maxWaitMs: 1 }'),
  create('rateLimit: { /*?*/requests: 1, /*?*/perMs: 1, /*?*/maxConcurrent: 1 }'),
  create('timeoutMs: 1'),
  create('transport: undefined!'),
  create('clock: undefined!'),
  create('onAttempt: undefined!'),
  create("userAgent: ''"),
  create('headers: {}'),
  'client.screens.list({}, { /*?*/signal: undefined, /*?*/deadlineMs: 1, /*?*/headers: {} });',
  'client.screens.list({}, { /*?*/retry: false, /*?*/timeoutMs: 1 });',
  'client.screens.list({}, { /*?*/adoptExisting: true });',
];

const mistakes = {
  'a misspelled field of a record': {
    program: "(await client.coupons.get({ code: '' })).statuss;",
    error: "Property 'statuss' does not exist on type 'Coupon'. Did you mean 'status'?",
  },
  'a misspelled field of a listed record': {
    program: '(await client.screens.list()).data[0]?.nmae;',
    error: "Property 'nmae' does not exist on type 'Screen'.",
  },
  'a misspelled field of a pagination object': {
    program: '(await client.screens.list()).pagination.hasMore;',
    error: "Property 'hasMore' does not exist on type 'Pagination'. Did you mean 'has_more'?",
  },
  'a code of a coupon as certain': {
    program: "const code: string = (await client.coupons.get({ code: '' })).code;",
    error: "Type 'string | null | undefined' is not assignable to type 'string'.",
  },
  'a GET that states its recovery': {
    program: "operation({ ...getScreen, method: 'GET', recovery: 'none' });",
    error: "'recovery' does not exist in type",
  },
  'a POST that states no recovery': {
    program: "operation({ ...getScreen, method: 'POST' });",
    error: "Property 'recovery' is missing in type",
  },
  'a POST that claims to be harmless': {
    program: "operation({ ...getScreen, method: 'POST', recovery: 'resend' });",
    error: 'Type \'"resend"\' is not assignable to type',
  },
};

const allowed = [
  "const { tier } = allFields(await client.coupons.get({ code: '' }));",
  "operation({ ...getScreen, method: 'GET' });",
  "operation({ ...getScreen, method: 'POST', recovery: 'none', body: 'none' });",
];

const shown = new Map<string, Shown>();
beforeAll(() => {
  const programs = [
    ...ofMethods.flatMap((each) => Object.values(each)),
    ...options,
    ...Object.values(mistakes).map(({ program }) => program),
    ...allowed,
  ];
  const results = showPrograms(start, programs);
  programs.forEach((program, nth) => {
    if (results[nth]) shown.set(program, results[nth]);
  });
});
const textsOf = (program: string) => shown.get(program)?.hovers.map(({ text }) => text);

describe('an editor', () => {
  it.each(methods)('shows what client.$method does and returns', ({ method, operation }) => {
    const { description, section, scopes } = operation;
    const [hover] = shown.get(`client.${method.replace('.', './*?*/')};`)?.hovers ?? [];
    const any = scopes.map((scope) => `\`${scope}\``).join(' or ');
    expect(hover?.text).toBe(`${description} Section ${section}; scope ${any}.`);
    expect(hover?.type.endsWith(` => ${resultOf(operation)}`)).toBe(true);
  });

  it.each(methods)('describes the fields of client.$method', (each) => {
    const { input = '', output = '' } = ofMethods[methods.indexOf(each)] ?? {};
    expect(textsOf(input)).toEqual(each.inputs.map(({ description }) => description));
    expect(textsOf(output)).toEqual(each.outputs.map(({ description }) => `${description}.`));
  });

  it.each(options)('shows the default of each option in %s', (program) => {
    const texts = textsOf(program) ?? [];
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(/\bDefault\b/);
  });
});

describe('the compiler', () => {
  it.each(Object.entries(mistakes))('refuses %s', (_name, { program, error }) => {
    expect(shown.get(program)?.errors).toEqual([expect.stringContaining(error)]);
  });

  it.each(allowed)('accepts %s', (program) => {
    expect(shown.get(program)?.errors).toEqual([]);
  });
});
