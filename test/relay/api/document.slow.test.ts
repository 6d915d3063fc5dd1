import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RelayContext } from '../../../packages/relay/src/log/context.ts';
import { Metrics } from '../../../packages/relay/src/operate/metrics.ts';
import { relayApp } from '../../../packages/relay/src/run/app.ts';
import { redoclyFindings } from '../../sandbox/support/redocly.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { send, start } from '../support/running-relay.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, { operationId: string; responses: object }>>;
}

const folder = temporaryFolder();

let served: Document;

beforeAll(async () => {
  const { url } = await start({ role: 'sender' });
  served = (await send(`${url}/openapi.json`, 'GET', {})).body;
});

/** Every route of the app, in the document's notation. */
function routes(): string[] {
  const app = relayApp({
    ingress: {} as RelayContext,
    requests: {} as RelayContext,
    takesEvents: true,
    metrics: new Metrics(),
    operator: { adminToken: undefined, publicUrl: undefined },
  });
  return app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(
      ({ method, path }) =>
        `${method} ${path.replaceAll(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1')}`,
    );
}

/** The document itself, the endpoint for Prometheus, and the operator's page. */
const notInDocument = /^\w+ \/(?:openapi\.json|metrics|operator\/.*)?$/;

describe("the relay's OpenAPI document", () => {
  it("passes redocly's recommended rules, except that probes have no 4xx response", async () => {
    const file = join(folder(), 'openapi.json');
    await writeFile(file, JSON.stringify(served));
    expect(await redoclyFindings(file)).toEqual([
      ['operation-4xx-response', '#/paths/~1healthz/get/responses'],
      ['operation-4xx-response', '#/paths/~1readyz/get/responses'],
    ]);
  });

  it('has every route of the app, and no other', async () => {
    const { openapi, paths } = served;
    expect(openapi).toMatch(/^3\.1\./);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const ofApp = routes().filter((route) => !notInDocument.test(route));
    expect(ofApp.length).toBeGreaterThan(10);
    expect(documented.sort()).toEqual([...new Set(ofApp)].sort());
  });
});
