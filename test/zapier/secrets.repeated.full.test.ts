import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ScriptedResponse, ScriptedService } from '../shared/support/scripted-service.ts';
import { problem } from '../shared/support/steps.ts';
import { formsIn, formsOf } from '../support/secret-forms.ts';
import { findUser } from './app/actions.ts';
import { createZapierRunner, type ZapierRunner } from './app/runner.ts';
import { readZapierError } from './app/zapier-error.ts';

const service = new ScriptedService();
beforeAll(() => service.start());
afterAll(() => service.stop());
// Retries of reads wait for a random time; here they do not wait.
jest.spyOn(Math, 'random').mockReturnValue(0);

const apiKey = 'svc_odd"key"/<of>&+=\'%';
const clientSecret = 'odd/"secret"\\<word>&+=\'%C3 ü';
const others = {
  signing_secret: 'odd/"signing"&<secret>',
  previous_signing_secret: 'older/"signing"&<secret>',
  access_token: 'odd~token+of/the=access',
};
const fields = { ...others, renew_at: '2999-01-01T00:00:00Z' };
const withKey = { credentials: { apiKey }, secrets: [apiKey, ...Object.values(others)] };
const withClient = {
  credentials: { clientId: 'id', clientSecret },
  secrets: [clientSecret, ...Object.values(others)],
};

/** Runs once for each form of each secret, which the service quotes, and checks each error. */
async function repeatEach(
  { credentials, secrets }: typeof withKey | typeof withClient,
  run: (zapier: ZapierRunner) => Promise<unknown>,
  answer: (text: string) => ScriptedResponse,
): Promise<void> {
  const zapier = createZapierRunner({ baseUrl: service.baseUrl, credentials, fields });
  for (const secret of secrets) {
    for (const [form, text] of Object.entries(formsOf(secret))) {
      service.reset();
      for (const route of ['GET /users/lookup', 'POST /oauth/token'])
        service.on(route, answer(text));
      const error = await run(zapier).catch((thrown: unknown) => thrown);
      expect([form, error]).toEqual([form, expect.any(Error)]);
      expect([form, formsIn([error, readZapierError(error)], ...secrets)]).toEqual([form, []]);
    }
  }
}

function pageOf(title: string): string {
  return `<title>${title.replaceAll('<', '')}</title>`;
}

describe('no error shows any form of a secret that the service quotes', () => {
  it.each<[string, typeof withKey | typeof withClient, (text: string) => ScriptedResponse]>([
    ['the detail of a problem', withClient, (detail) => problem(400, { detail })],
    ['its type', withKey, (type) => problem(503, { type })],
    ['a text', withClient, (body) => ({ status: 400, body })],
    ['the title of a page', withKey, (text) => ({ body: pageOf(text) })],
  ])('in %s', async (_where, access, answer) => {
    await repeatEach(access, findUser.run, answer);
  });

  it.each([401, 503])('in status %i of the token endpoint', async (status) => {
    const startSession = (zapier: ZapierRunner) =>
      zapier.run('authentication.sessionConfig.perform');
    await repeatEach(withClient, startSession, (detail) =>
      problem(status, { detail, type: detail }),
    );
  });
});
