import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { problem, token } from '../shared/support/steps.ts';
import { echoed, formsIn } from '../support/secret-forms.ts';
import { Engine } from './engine.ts';
import { storedToken } from './stored-token.ts';

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
async function run(authentication: string, goesOn = false) {
  clients += 1;
  const { baseUrl } = service;
  const access = { baseUrl, clientId: `client-${clients}`, clientSecret };
  Object.assign(engine.credentials, {
    screenAdvertisingApi: { baseUrl, apiKey },
    screenAdvertisingClientCredentialsApi: {
      ...access,
      accessToken: storedToken(access, accessToken),
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
      const result = await run(authentication, goesOn);
      expect(JSON.stringify(result.run)).toContain('[redacted]');
      expect(formsIn([result.run, result.error], ...secrets)).toEqual([]);
    }
  });
});

it('an execution stores neither a refused token nor the one in its place', async () => {
  const renewed = 'odd~token+of/the=next';
  service.on('POST /oauth/token', token(renewed));
  const all = echoed(accessToken, renewed);
  service.on('GET /users/lookup', problem(401), problem(400, { detail: all }));
  const result = await run('clientCredentials');
  expect(JSON.stringify(result.run)).toContain('[redacted]');
  expect(formsIn([result.run, result.error], accessToken, renewed)).toEqual([]);
});

it('a credential that cannot be read again hides no words of the service', async () => {
  service.on('GET /users/lookup', (response, scripted) => {
    for (const name of Object.keys(engine.credentials)) delete engine.credentials[name];
    scripted.release(response, problem(404, { detail: 'No such lead.' }));
  });
  const { error } = await run('apiKey');
  expect(error?.description).toContain('The service says: "No such lead."');
});

it.each([401, 501])('a token endpoint with status %i shows no secret', async (status) => {
  const secrets = [clientSecret, accessToken];
  const all = echoed(...secrets);
  service.on('POST /oauth/token', problem(status, { type: all, title: all, detail: all }));
  service.on('GET /users/lookup', problem(401));
  const { run: record, error } = await run('clientCredentials');
  expect(error?.message).toMatch(
    status === 401 ? /does not work$/ : /^The service is not available \(501\)$/,
  );
  expect(service.receivedFor('POST /oauth/token')).not.toEqual([]);
  expect(formsIn([record, error], ...secrets)).toEqual([]);
});
