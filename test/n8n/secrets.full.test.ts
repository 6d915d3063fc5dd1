import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { problem } from '../shared/support/steps.ts';
import { echoed, formsIn, formsOf } from '../support/secret-forms.ts';
import { Engine } from './engine/engine.ts';

const service = new ScriptedService();
let engine: Engine;
beforeAll(async () => {
  await service.start();
  engine = await Engine.start();
});
afterAll(() => service.stop());

const apiKey = 'svc_odd"key"/<of>&+=\'%';
const clientSecret = 'odd/"secret"\\<word>&+=\'%C3 ü';
const accessToken = 'odd~token+of/the=access';
const accesses = [
  ['apiKey', [apiKey]],
  ['clientCredentials', [clientSecret, accessToken]],
] as const;
let clients = 0;

/** A run with a client ID that was not used before; it continues after errors or not. */
async function run(authentication: string, token = accessToken, goesOn = false) {
  clients += 1;
  const { baseUrl } = service;
  Object.assign(engine.credentials, {
    screenAdvertisingApi: { baseUrl, apiKey },
    screenAdvertisingClientCredentialsApi: {
      baseUrl,
      clientId: `client-${clients}`,
      clientSecret,
      accessToken: token,
    },
  });
  const lookUp = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
  return engine.runNode({
    type: 'screenAdvertising',
    parameters: { authentication, ...lookUp },
    onError: goesOn ? 'continueRegularOutput' : 'stopWorkflow',
  });
}

describe.each(accesses)('an execution with %s', (authentication, secrets) => {
  const all = echoed(...secrets);

  it.each([
    ['the detail', problem(400, { detail: all })],
    ['other members', problem(409, { type: all, title: all, detail: null, hint: all })],
  ])('stores no secret that %s of a problem quotes in any form', async (_where, answer) => {
    service.on('GET /users/lookup', answer);
    for (const goesOn of [false, true]) {
      const result = await run(authentication, accessToken, goesOn);
      expect(JSON.stringify(result.run)).toContain('[redacted]');
      expect(formsIn([result.run, result.error], ...secrets)).toEqual([]);
    }
  });

  it('stores none that a body of another kind quotes', async () => {
    const forms = secrets.flatMap((secret) => Object.entries(formsOf(secret)));
    expect(forms.length).toBeGreaterThan(secrets.length);
    for (const [form, text] of forms) {
      const title = `<title>${text.replaceAll('<', '')}</title>`;
      for (const answer of [{ status: 400, body: text }, { body: title }]) {
        service.on('GET /users/lookup', answer);
        const result = await run(authentication);
        expect([form, result.error?.name]).toEqual([form, 'NodeApiError']);
        expect([form, formsIn([result.run, result.error], ...secrets)]).toEqual([form, []]);
      }
    }
  });
});

it.each([
  [401, ''],
  [401, accessToken],
  [501, ''],
  [501, accessToken],
])(
  'a token endpoint with status %i shows no secret, with the token %j before',
  async (status, token) => {
    const secrets = [clientSecret, token].filter((secret) => secret !== '');
    const all = echoed(...secrets);
    service.on('POST /oauth/token', problem(status, { type: all, title: all, detail: all }));
    service.on('GET /users/lookup', problem(401));
    const { run: record, error } = await run('clientCredentials', token);
    expect(error?.message).toMatch(
      status === 401 ? /does not work$/ : /^The service is not available \(501\)$/,
    );
    expect(service.receivedFor('POST /oauth/token')).not.toEqual([]);
    expect(formsIn([record, error], ...secrets)).toEqual([]);
  },
);
