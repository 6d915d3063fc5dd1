import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedService } from '../shared/support/scripted-service.ts';
import { problem } from '../shared/support/steps.ts';
import { formsIn, repeated } from '../support/secret-forms.ts';
import { createCoupon, findUser } from './app/actions.ts';
import { createZapierRunner } from './app/runner.ts';
import { readZapierError } from './app/zapier-error.ts';

describe('no error shows any form of a secret that the service repeats', () => {
  const service = new ScriptedService();
  beforeAll(() => service.start());
  beforeEach(() => service.reset());
  afterAll(() => service.stop());

  const key = 'svc_odd"key"/<of>&+=\'%';
  const clientSecret = 'odd/"secret"\\<word>&+=\'%C3 ü';
  const others = {
    signing_secret: 'odd/"signing"&<secret>',
    previous_signing_secret: 'older/"signing"&<secret>',
    access_token: 'odd~token+of/the=access',
  };
  const fields = { ...others, renew_at: '2999-01-01T00:00:00Z' };
  const repeat = repeated(key, clientSecret, ...Object.values(others));
  const accesses = [
    { credentials: { apiKey: key }, secrets: [key, ...Object.values(others)] },
    {
      credentials: { clientId: 'id', clientSecret },
      secrets: [clientSecret, ...Object.values(others)],
    },
  ] as const;

  it.each([
    ['the detail of a problem', problem(400, { detail: repeat })],
    ['its other members', problem(409, { type: repeat, title: repeat, detail: null })],
    ['a failure', problem(503, { type: repeat, detail: repeat })],
    ['the title of a page', { status: 400, body: `<title>${repeat.replaceAll('<', '')}</title>` }],
    ['an answer of success', { body: `<title>${repeat.replaceAll('<', '')}</title>` }],
  ])('in %s', async (_where, answer) => {
    service.on('GET /users/lookup', answer);
    service.on('POST /coupons', answer);
    for (const { credentials, secrets } of accesses) {
      const zapier = createZapierRunner({ baseUrl: service.baseUrl, credentials, fields });
      for (const action of [findUser, createCoupon]) {
        const error = await action.run(zapier).catch((thrown: unknown) => thrown);
        expect((error as Error).message).toContain('[redacted]');
        expect(formsIn([error, readZapierError(error)], ...secrets)).toEqual([]);
      }
    }
  });

  it.each([401, 503])('in status %i of the token endpoint', async (code) => {
    service.on('POST /oauth/token', problem(code, { type: repeat, title: repeat, detail: repeat }));
    const [, { credentials, secrets }] = accesses;
    const zapier = createZapierRunner({ baseUrl: service.baseUrl, credentials, fields });
    const error = await zapier.run(startSession).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(formsIn([error, readZapierError(error)], ...secrets)).toEqual([]);
  });
});

const startSession = 'authentication.sessionConfig.perform';
