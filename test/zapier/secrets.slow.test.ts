import { describe, expect, it } from '@jest/globals';
import { createCoupon, findUser, revokeCoupon } from './app/actions.ts';
import { definitionOf } from './app/definition.ts';
import { status, useService } from './app/use-service.ts';
import { credentialKinds, readZapierError } from './app/zapier.ts';

const service = useService();

/** An event that has zapier-platform-core log everything, and what it logs. */
function logging() {
  const seen: unknown[] = [];
  const customLogger = (...line: unknown[]): void => void seen.push(line);
  return { seen, event: { customLogger, calledFromCliInvoke: true } };
}

describe.each(credentialKinds)('with %s', (kind) => {
  it('no log, result or error of any action holds a secret, even if the service quotes it', async () => {
    const { seen, event } = logging();
    const access = service().sandbox.accesses[0];
    const fields = { signing_secret: access.signingSecret };
    const zapier = await service().connect({ kind, fields, event });
    const { access_token } = zapier.authData;
    const token = access_token || access.apiKey;
    for (const action of [findUser, createCoupon, revokeCoupon]) {
      seen.push(await action.run(zapier).catch(readZapierError));
      const detail = `The token ${token} was not liked.`;
      service().sandbox.faults.add({ ...status(400), detail });
      seen.push(await action.run(zapier).catch(readZapierError));
      service().sandbox.faults.clear();
    }
    const text = JSON.stringify(seen);
    expect(text).toContain('GET ');
    expect(text).toContain('The token [redacted] was not liked.');
    const secrets = [token, access.apiKey, access.clientSecret, access.signingSecret];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

it.each(['private', 'public'] as const)(
  'the definition of the %s variant holds nothing that looks like a secret',
  async (variant) => {
    const text = JSON.stringify(await definitionOf(variant));
    expect(text.match(/svc_[A-Za-z0-9]+|whsec_\w+|rly_\w+|bearer \S+/gi) ?? []).toEqual([]);
  },
);
