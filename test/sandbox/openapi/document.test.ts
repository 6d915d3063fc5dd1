import { describe, expect, it } from '@jest/globals';
import { type Operation, operations } from '@screen-advertising/core';
import { openApiDocument } from '@screen-advertising/server-kit';
import * as z from 'zod/mini';
import { operationNames } from '../../support/catalogue-names.ts';
import { start } from '../support/running-sandbox.ts';

interface OperationObject {
  operationId: string;
  'x-section': string;
  security: Record<string, string[]>[];
}
type Document = {
  openapi: string;
  servers: { variables: { base_url: { default: string } } }[];
  paths: Record<string, Record<string, OperationObject>>;
};

const served = async () => {
  const { admin, baseUrl } = await start();
  const document = JSON.parse((await admin('GET', '/openapi.json')).text) as Document;
  return { document, baseUrl };
};

describe('the OpenAPI document', () => {
  it('has every operation of the catalogue with its section and scopes', async () => {
    const { document } = await served();
    for (const operation of operationNames) {
      const { name, method, path, section, scopes }: Operation = operations[operation];
      expect(document.paths[path]?.[method.toLowerCase()]).toMatchObject({
        operationId: name,
        'x-section': section,
        security: scopes.map((scope) => ({ bearer: [scope] })),
      });
    }
    expect(document.paths['/oauth/token']?.post).toMatchObject({
      'x-section': '4.1',
      security: [],
    });
    const count = Object.values(document.paths).flatMap((path) => Object.keys(path)).length;
    expect(count).toBe(operationNames.length + 1);
  });

  it('documents a path parameter once: not in the body, too', () => {
    const input = z.strictObject({
      screenId: z.string(),
      reason: z.string(),
      note: z.optional(z.string().check(z.meta({ description: 'Why.' }))),
    });
    const of = (body?: 'required') => {
      const operation = {
        id: 'pause',
        title: 'Pause',
        description: '',
        tag: 'Screens',
        input,
        body,
      };
      const path = '/screens/{screenId}/pause';
      const rest = { method: 'POST', path, security: [], successes: {}, problems: {} };
      const info = { title: 'Pauses', version: '1' };
      const { paths } = openApiDocument([{ ...operation, ...rest }], { info }) as { paths: object };
      return Object.values(paths)[0].post;
    };
    expect(of('required').parameters).toEqual([
      { in: 'path', name: 'screenId', required: true, schema: { type: 'string' } },
    ]);
    const { schema } = of('required').requestBody.content['application/json'];
    expect(schema.required).toEqual(['reason']);
    expect(Object.keys(schema.properties)).toEqual(['reason', 'note']);
    expect(of().requestBody).toBeUndefined();
    expect(of().parameters).toMatchObject([
      { in: 'path', name: 'screenId' },
      { in: 'query', name: 'reason' },
      { in: 'query', name: 'note', description: 'Why.' },
    ]);
  });

  it('names the address that serves it', async () => {
    const { document, baseUrl } = await served();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers[0]?.variables.base_url.default).toBe(baseUrl);
  });
});
