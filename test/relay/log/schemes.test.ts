import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { openPage } from '../page/support.ts';
import { sourceSecret, startAt } from '../support/running-relay.ts';

const now = Date.parse(startAt) / 1000;
const type = 'campaign.paid';
const hmac = (algorithm: string, content: string) =>
  createHmac(algorithm, sourceSecret).update(content).digest('hex');
const usual = { algorithm: 'sha256', signed_content: '{t}.{body}', key: 'text' };
const bodyOnly = { algorithm: 'sha512', signed_content: '{body}', key: 'text' };

it('a source and its page show how the service signs and since when, and the log a change', async () => {
  const logged: object[] = [];
  const write = (fields: object, text: string) => logged.push({ ...fields, text });
  const log = { debug: () => {}, info: write, warn: write, error: write };
  const { visitor, relay, deliver } = await openPage({ log });
  expect(await relay.sources.list()).toMatchObject([{ scheme: null, scheme_since: null }]);
  await deliver({ id: '1', type });
  await relay.clock.advance(2_000);
  await deliver({ id: '2', type });
  const [before] = await relay.sources.list();
  expect(before).toMatchObject({ scheme: usual, scheme_since: new Date(startAt), note: null });
  const body = JSON.stringify({ id: '3', type });
  const signature = `t=${now},v1=${hmac('sha512', body)}`;
  expect((await deliver(body, { signature })).status).toBe(202);
  const [after] = await relay.sources.list();
  expect(after).toMatchObject({
    scheme: bodyOnly,
    scheme_since: new Date('2027-03-01T09:00:02.000Z'),
    note: 'The signature covers only the body, so a recorded delivery can be sent again: that duplicates are dropped is the only defense.',
  });
  const to = 'HMAC-SHA-256 of {t}.{body} with the secret';
  expect(logged).toEqual([
    { source: 'main', to, text: 'The service signs the deliveries of a source' },
    {
      source: 'main',
      from: to,
      to: 'HMAC-SHA-512 of {body} with the secret',
      text: 'The service signs the deliveries of a source in a new way',
    },
  ]);
  const { html } = await visitor.get('/operator/sources');
  expect(html).toContain('HMAC-SHA-512 of {body} with the secret, since');
  expect(html).toContain('The signature covers only the body');
});
