import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { n8nLogger } from './n8n.ts';
import { event, type Post, WebhookBench } from './webhook-bench.ts';
import type { WebhookServer } from './webhook-server.ts';

const bench = new WebhookBench();
beforeEach(() => bench.begin());
const form = '--b\r\ncontent-disposition: form-data; name="id"\r\n\r\n1\r\n--b--\r\n';
it('a form is refused, and starts nothing', async () => {
  const response = await fetch(bench.server.url, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: form,
  });
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail:
      'The body of the delivery cannot be read: send it whole, as JSON, and compressed as its headers say.',
  });
  expect([bench.server.failures, bench.server.executions]).toEqual([[], []]);
});

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

const name = '"Screen Advertising Trigger" of the workflow "Workflow"';
const once = 'Further refusals for this reason are not logged until a signed delivery arrives.';

it('a signed delivery that names no event is logged each time, without its content', async () => {
  for (let time = 0; time < 2; time += 1) await bench.deliver({ body: '{"hello":"Anna Muster"}' });
  const told = `error: ${name} received a signed delivery that cannot start the workflow. The body of the delivery cannot be read: it names no event, or several, under "type", "event", "event_type", "event_name", "topic". Report this to the Screen Advertising team.`;
  expect(log).toEqual([told, told]);
});

describe('a delivery that any stranger could have sent', () => {
  const forged: Post = { secret: 'another' };
  const unsigned: Post = { headers: { 'x-service-signature': undefined } };
  const thrice = (post: Post, to?: WebhookServer) =>
    Promise.all([post, post, post].map((one) => bench.deliver(one, to)));

  it('is logged once for each reason, however often it arrives', async () => {
    await thrice(forged);
    await thrice(unsigned);
    await thrice(forged);
    expect(log).toEqual([
      `warn: ${name} refused a delivery. The signature matches none of the signing secrets, in any known scheme. Check that the secret belongs to this access and that nothing changed the body. ${once}`,
      `warn: ${name} refused a delivery. The delivery has no x-service-signature header, so it did not come from the service. ${once}`,
    ]);
  });

  it('is logged again after a delivery that the service signed', async () => {
    await thrice(forged);
    await bench.deliver();
    await thrice(forged);
    expect(log).toHaveLength(2);
  });

  it('is also logged once when the trigger has no secret to check it with', async () => {
    const stored = { screenAdvertisingWebhookApi: { signingSecret: '' } };
    await thrice(forged, await bench.publish({}, { stored }));
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
