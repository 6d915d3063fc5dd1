import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { n8nLogger } from './engine/n8n.ts';
import type { WebhookServer } from './engine/webhook-server.ts';
import { event, type Post, useWebhooks } from './webhook-bench.ts';

const bench = useWebhooks();

/** What the trigger wrote to n8n's log: level and message. */
let log: string[];

beforeEach(() => {
  log = [];
  for (const level of ['error', 'warn', 'info'] as const) {
    jest.spyOn(n8nLogger, level).mockImplementation((message) => {
      log.push(`${level}: ${message}`);
    });
  }
});
afterEach(() => {
  jest.restoreAllMocks();
});

const name = '"Screen Advertising Trigger" of the workflow "Workflow"';
const once = 'Further refusals for this reason are not logged until a signed delivery arrives.';
const text = { 'content-type': 'text/plain' };

it.each<[what: string, post: Post, why: string]>([
  ['no JSON', { body: 'Anna Muster', headers: text }, 'it is not JSON'],
  [
    'no event',
    { body: '{"hello":"Anna Muster"}' },
    'it names no event under "type", "event", "event_type", "event_name" or "topic"',
  ],
])(
  'a signed delivery that is %s is logged each time, without its content',
  async (_, post, why) => {
    for (let time = 0; time < 2; time += 1) await bench.deliver(post);
    const told = `error: ${name} received a signed delivery that cannot start the workflow. The body of the delivery cannot be read: ${why}. Report this to the Screen Advertising team.`;
    expect(log).toEqual([told, told]);
  },
);

describe('a delivery that any stranger could have sent', () => {
  const forged: Post = { secret: 'another' };
  const unsigned: Post = { headers: { 'x-service-signature': undefined } };
  const times = (count: number, post: Post, to?: WebhookServer) =>
    Promise.all(Array.from({ length: count }, () => bench.deliver(post, to)));

  it('is logged once for each reason, however often it arrives', async () => {
    await times(50, forged);
    await times(50, unsigned);
    await times(50, forged);
    expect(log).toEqual([
      `warn: ${name} refused a delivery. The signature matches none of the signing secrets, in any known scheme. Check that the secret belongs to this access and that nothing changed the body. ${once}`,
      `warn: ${name} refused a delivery. The delivery has no x-service-signature header, so it did not come from the service. ${once}`,
    ]);
  });

  it('is logged again after a delivery that the service signed', async () => {
    await times(3, forged);
    await bench.deliver();
    await times(3, forged);
    expect(log).toHaveLength(2);
  });

  it('is also logged once when the trigger has no secret to check it with', async () => {
    const closed = await bench.publish(
      {},
      { stored: { screenAdvertisingWebhookApi: { signingSecret: '' } } },
    );
    await times(50, forged, closed);
    expect(log).toEqual([
      `error: ${name} cannot check deliveries. secrets must be a list with at least one signing secret. ${once}`,
    ]);
  });
});

it('deliveries whose time is not signed are logged once', async () => {
  for (const id of ['evt_1', 'evt_2']) {
    const body = JSON.stringify({ ...event, id });
    expect((await bench.deliver({ body, scheme: { signedContent: '{body}' } })).status).toBe(200);
  }
  expect(log).toEqual([
    `warn: ${name} receives deliveries whose signature covers only the body, not the time. Anyone who recorded one can start the workflow with it again after an hour. Ask the Screen Advertising team to sign the time too. Until then, check the event ID before a step that must run once.`,
  ]);
});

it('valid deliveries are not logged', async () => {
  await bench.deliver();
  await bench.deliver();
  await bench.deliver({ body: JSON.stringify({ ...event, id: 'evt_2', type: 'user.registered' }) });
  expect(log).toEqual([]);
});
