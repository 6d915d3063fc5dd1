import { describe, expect, it } from '@jest/globals';
import { type Action, prepareRecords, selfContained } from './app/actions.ts';
import { definitionOf } from './app/definition.ts';
import { status } from './app/fault.ts';
import { startRelayed } from './app/relayed.ts';
import { type CredentialKind, credentialKinds } from './app/service.ts';
import { useService } from './app/use-service.ts';
import { readZapierError } from './app/zapier-error.ts';

const service = useService();

/**
 * Runs actions with all of zapier-platform-core's logging, and keeps everything they log and
 * return.
 */
async function runAll(
  kind: CredentialKind,
  actions: readonly Action[],
  before?: (token: string) => void,
) {
  service().sandbox.reset();
  const seen: unknown[] = [];
  const access = service().sandbox.accesses[0];
  const customLogger = (message: string, data: unknown): void => {
    seen.push(message, data);
  };
  const zapier = await service().connect({
    kind,
    fields: { signing_secret: access.signingSecret },
    event: { customLogger, calledFromCliInvoke: true },
  });
  await prepareRecords(zapier);
  const { access_token } = zapier.authData;
  before?.(access_token || access.apiKey);
  for (const action of actions) {
    seen.push(await action.run(zapier).catch(readZapierError));
  }
  service().sandbox.faults.clear();
  const secrets = [access.apiKey, access.clientSecret, access.signingSecret, access_token];
  return { text: JSON.stringify(seen), secrets: secrets.filter((secret) => secret) as string[] };
}

function leaked({ text, secrets }: { text: string; secrets: readonly string[] }): string[] {
  return secrets.filter((secret) => text.includes(secret));
}

describe.each(credentialKinds)('with %s', (kind) => {
  it('no log, result or error of any action holds a secret', async () => {
    const run = await runAll(kind, selfContained);
    expect(run.text).toContain('GET ');
    expect(run.secrets.length).toBeGreaterThan(2);
    expect(leaked(run)).toEqual([]);
  });

  it('no error holds a secret, even if the service quotes it', async () => {
    const run = await runAll(kind, selfContained, (token) => {
      service().sandbox.faults.add({ ...status(400), detail: `The token ${token} was not liked.` });
    });
    expect(run.text).toContain('The token [redacted] was not liked.');
    expect(leaked(run)).toEqual([]);
  });
});

it('a refused client secret is in no error, even if the service quotes it', async () => {
  const { clientId, clientSecret } = service().sandbox.accesses[0];
  service().sandbox.faults.add({
    ...status(503),
    path: '/oauth/token',
    detail: `The secret ${clientSecret} of ${clientId} was not looked at.`,
  });
  const error = await service().connect({ kind: 'client credentials' }).catch(readZapierError);
  service().sandbox.faults.clear();
  expect(JSON.stringify(error)).toContain('The secret [redacted] of');
  expect(JSON.stringify(error)).not.toContain(clientSecret);
});

it('no log, result or error of a trigger through a relay holds the connector key or its parts', async () => {
  const seen: unknown[] = [];
  const customLogger = (message: string, data: unknown): void => {
    seen.push(message, data);
  };
  const { zapier, key, relay } = await startRelayed({
    event: { customLogger, calledFromCliInvoke: true },
  });
  const trigger = 'coupon_redeemed_through_relay';
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
  expect(leaked({ text, secrets: Object.values(key) })).toEqual([]);
});

it.each(['private', 'public'] as const)(
  'the definition of the %s variant holds nothing that looks like a secret',
  async (variant) => {
    const text = JSON.stringify(await definitionOf(variant));
    expect(text.match(/svc_[A-Za-z0-9]+|whsec_\w+|rly_\w+|bearer \S+/gi) ?? []).toEqual([]);
    const { accesses } = service().sandbox;
    const secrets = accesses.flatMap((one) => [one.apiKey, one.clientSecret, one.signingSecret]);
    expect(leaked({ text, secrets })).toEqual([]);
  },
);
