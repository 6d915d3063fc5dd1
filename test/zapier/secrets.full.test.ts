import { describe, expect, it } from '@jest/globals';
import { prepareRecords, selfContained } from './app/actions.ts';
import { definitionOf } from './app/definition.ts';
import { status } from './app/fault.ts';
import { startRelayed } from './app/hook-zap.ts';
import { credentialKinds } from './app/service.ts';
import { useService } from './app/use-service.ts';
import { readZapierError } from './app/zapier-error.ts';

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
    await prepareRecords(zapier);
    const { access_token } = zapier.authData;
    const token = access_token || access.apiKey;
    for (const action of selfContained) {
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

it('a refused client secret is in no error, even if the service quotes it', async () => {
  const { clientId, clientSecret } = service().sandbox.accesses[0];
  const detail = `The secret ${clientSecret} of ${clientId} was not looked at.`;
  service().sandbox.faults.add({ ...status(503), path: '/oauth/token', detail });
  const error = await service().connect({ kind: 'client credentials' }).catch(readZapierError);
  expect(JSON.stringify(error)).toContain('The secret [redacted] of');
  expect(JSON.stringify(error)).not.toContain(clientSecret);
});

it('no log, result or error of a trigger through a relay holds the connector key or its parts', async () => {
  const { seen, event } = logging();
  const { zapier, key, relay } = await startRelayed({ event });
  const trigger = 'coupon_redeemed';
  const useAll = async (): Promise<void> => {
    for (const method of ['performSubscribe', 'performList', 'performUnsubscribe']) {
      const bundle = {
        targetUrl: 'https://hooks.zapier.com/hooks/standard/1',
        subscribeData: { id: 'sub_019500000000700080000000000000ff' },
      };
      const run = zapier.run(`triggers.${trigger}.operation.${method}`, bundle);
      seen.push(await run.catch(readZapierError));
    }
    const delivery = { headers: { 'Http-X-Service-Signature': 't=1,v1=00' }, content: '{}' };
    seen.push(await zapier.hook(trigger, delivery).catch(readZapierError));
  };
  await useAll();
  await relay.tokens.revoke('main', (await relay.tokens.list())[0]?.name ?? '');
  await useAll();
  const text = JSON.stringify(seen);
  expect(text).toContain('PUT ');
  expect(Object.values(key).filter((secret) => text.includes(secret))).toEqual([]);
});

it.each(['private', 'public'] as const)(
  'the definition of the %s variant holds nothing that looks like a secret',
  async (variant) => {
    const text = JSON.stringify(await definitionOf(variant));
    expect(text.match(/svc_[A-Za-z0-9]+|whsec_\w+|rly_\w+|bearer \S+/gi) ?? []).toEqual([]);
  },
);
