import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { problem } from '../shared/support/steps.ts';
import { formsIn, repeated } from '../support/secret-forms.ts';
import { Engine } from './engine/engine.ts';

describe('an execution stores no form of a secret that the service repeats', () => {
  const service = new ScriptedService();
  beforeAll(() => service.start());
  beforeEach(() => service.reset());
  afterAll(() => service.stop());

  const access = {
    apiKey: 'svc_odd"key"/<of>&+=\'%',
    clientSecret: 'odd/"secret"\\<word>&+=\'%C3 ü',
    accessToken: 'odd~token+of/the=access',
  };
  const repeat = repeated(...Object.values(access));
  const type = 'screenAdvertisingClientCredentialsApi';
  let clients = 0;

  /** A run with a client ID that was not used before; it goes on after errors or not. */
  async function run(authentication: string, accessToken: string, goesOn = false) {
    clients += 1;
    const { baseUrl } = service;
    const engine = await Engine.start({
      screenAdvertisingApi: { baseUrl, ...access },
      [type]: { baseUrl, clientId: `client-${clients}`, ...access, accessToken },
    });
    const lookUp = { resource: 'user', operation: 'lookUp', email: 'lead@example.com' };
    const parameters = { authentication, ...lookUp };
    const onError = goesOn ? 'continueRegularOutput' : 'stopWorkflow';
    return engine.runNode({ type: 'screenAdvertising', parameters, onError });
  }

  it.each([
    ['the detail of a problem', problem(400, { detail: repeat })],
    ['its other members', problem(409, { type: repeat, title: repeat, hint: repeat })],
    ['the title of a page', { status: 400, body: `<title>${repeat.replaceAll('<', '')}</title>` }],
    ['an answer of success', { body: `<title>${repeat.replaceAll('<', '')}</title>` }],
  ])('in %s', async (_where, answer) => {
    service.on('GET /users/lookup', answer);
    for (const authentication of ['apiKey', 'clientCredentials']) {
      for (const goesOn of [false, true]) {
        const result = await run(authentication, access.accessToken, goesOn);
        const known =
          authentication === 'apiKey' ? [access.apiKey] : [access.clientSecret, access.accessToken];
        expect(formsIn([result.run, result.error], ...known)).toEqual([]);
        expect(JSON.stringify(result.run)).toContain('[redacted]');
      }
    }
  });

  it.each([401, 501])(
    'in status %i of the token endpoint, the token before among them',
    async (status) => {
      service.on('POST /oauth/token', problem(status, { title: repeat, detail: repeat }));
      service.on('GET /users/lookup', problem(401));
      for (const accessToken of ['', access.accessToken]) {
        const { run: record, error } = await run('clientCredentials', accessToken);
        const known = [access.clientSecret, ...(accessToken ? [accessToken] : [])];
        expect(error?.message).toContain('does not work.');
        expect(formsIn([record, error], ...known)).toEqual([]);
      }
    },
  );
});
