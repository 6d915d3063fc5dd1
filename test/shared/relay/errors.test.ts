import { describe, expect, it } from '@jest/globals';
import { InputError, ScreenAdvertisingError } from '@screen-advertising/core';
import { freePort } from '../../support/free-port.ts';
import { echoed, formsIn, formsOf } from '../../support/secret-forms.ts';
import { useBench } from '../support/bench.ts';
import { rejection } from '../support/rejection.ts';
import type { ScriptedResponse, Step } from '../support/scripted-service.ts';
import { problem, reset, silence } from '../support/steps.ts';
import { connectorKey, relayClient, signingSecret, token } from './relay-bench.ts';

const bench = useBench();
const id = 'sub_1';

/** A web page as a proxy sends it. */
const page = (status: number, title: string): Step => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><title>${title}</title></html>`,
});

async function errorOf(step: Step): Promise<ScreenAdvertisingError> {
  bench.service.on('GET /me', step);
  const error = await rejection(relayClient(bench, { retry: false }).me());
  expect(error).toBeInstanceOf(ScreenAdvertisingError);
  return error as ScreenAdvertisingError;
}

describe('what a relay, or something in front of it, responds with', () => {
  it.each([
    [
      problem(401, { detail: 'Send the token as "Authorization: Bearer <token>".' }),
      'Check Connector Key failed: the relay did not accept the credentials (401). The relay says: "Send the token as "Authentication: Bearer <token>"." Check that the connector key is complete and belongs to this relay.',
    ],
    [
      problem(403, { detail: 'No AUTHORIZATION.' }),
      'Check Connector Key was refused by the relay, or by something in front of it (403). The relay says: "No Authentication." Ask the operator of the relay, or check the base URL.',
    ],
    [
      page(404, 'Not here'),
      'Check Connector Key failed: the relay, or something in front of it, does not know this address (404). The response is not a problem document, so it may come from a proxy (text/html, 36 characters, titled "Not here"). Check that the base URL leads to the relay.',
    ],
    [
      page(200, 'Welcome'),
      'Check Connector Key failed: the response with status 200 is not the expected JSON. The body: text/html, 35 characters, titled "Welcome". Check that the base URL leads to the relay and not to a web page.',
    ],
  ] as [Step, string][])('%j', async (step, message) => {
    const error = await errorOf(step);
    expect(error.message).toBe(message);
    expect(JSON.stringify([error.message, error.problem])).not.toMatch(/authorization/i);
  });

  it('a list with other records is not accepted', async () => {
    bench.service.on('GET /events', { body: { data: [{ id: 1 }] } });
    const error = await rejection(relayClient(bench).listEvents());
    expect(error).toMatchObject({ code: 'unexpected_response' });
  });

  it('a 404 of the relay says that there is no such record', async () => {
    const gone = problem(404);
    bench.service.on(`GET /subscriptions/${id}`, gone);
    bench.service.on(`DELETE /subscriptions/${id}`, gone);
    bench.service.on('GET /events/evt_1', gone);
    const client = relayClient(bench);
    const { getSubscription, unsubscribe, getEvent } = client;
    const found = [getSubscription(id), unsubscribe(id), getEvent('evt_1')];
    expect(await Promise.all(found)).toEqual([undefined, undefined, undefined]);
  });

  it('a 404 other than a problem document says nothing about a subscription', async () => {
    bench.service.on(`GET /subscriptions/${id}`, page(404, 'x'));
    bench.service.on(`DELETE /subscriptions/${id}`, page(404, 'x'));
    const client = relayClient(bench);
    expect(await rejection(client.getSubscription(id))).toMatchObject({ status: 404 });
    expect(await rejection(client.unsubscribe(id))).toMatchObject({ status: 404 });
  });
});

describe('no response', () => {
  it('from a relay that is down', async () => {
    const port = await freePort();
    const client = relayClient(bench, { baseUrl: `http://127.0.0.1:${port}`, retry: false });
    expect(await rejection(client.me())).toMatchObject({
      message: `No usable response from the relay: 127.0.0.1:${port} refused the connection (ECONNREFUSED). Check the base URL and that the service is running.`,
      code: 'network_error',
      sent: 'no',
      isRetryable: true,
    });
  });

  it('within the deadline', async () => {
    bench.service.on('GET /me', silence);
    const work = rejection(relayClient(bench).me({ deadlineMs: 5000 }));
    expect(await bench.clock.run(work)).toMatchObject({
      message:
        'No usable response from the relay: Check Connector Key got no complete response before the deadline of the call. Retry later, or allow more time.',
      code: 'timeout',
    });
    expect(bench.clock.now() - Date.UTC(2027, 2, 1, 9)).toBe(5000);
  });
});

describe('a lost response', () => {
  const subscription = { id, state: 'active' };

  it.each([
    ['a reset', reset],
    ['status 502', problem(502)],
    ['status 503', problem(503, {}, { 'retry-after': '5' })],
    ['status 429', problem(429, {}, { 'retry-after': '60' })],
  ] as [string, Step][])('is retried after %s, whatever the request', async (_what, step) => {
    const { service, clock } = bench;
    service.on('PUT /subscriptions', step, { body: subscription });
    service.on(`DELETE /subscriptions/${id}`, step, { status: 204 });
    service.on('GET /events', step, { body: { data: [], pagination: { has_more: false } } });
    const client = relayClient(bench);
    const input = { target_url: 'https://n8n.example/1', events: ['campaign.paid' as const] };
    expect(await clock.run(client.subscribe(input))).toEqual(subscription);
    expect(await clock.run(client.unsubscribe(id))).toBeUndefined();
    expect((await clock.run(client.listEvents())).data).toEqual([]);
    expect(service.received).toHaveLength(6);
    const [first, second] = service.receivedFor('PUT /subscriptions');
    expect(second?.body).toBe(first?.body);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      target_url: input.target_url,
      events: input.events,
    });
  });
});

describe('input that cannot work is refused before anything is sent', () => {
  const client = () => relayClient(bench);
  it.each([
    [
      () => client().subscribe({ target_url: '', events: [] }),
      'Subscribe was not sent: target_url must be a URL that starts with https://, of up to 2048 characters, not ""; events must be a list of 1 to 50 names of events, such as ["campaign.paid"].',
    ],
    [
      () => client().subscribe({ target_url: 'x', events: 1 as never }),
      'Subscribe was not sent: events must be a list of 1 to 50 names of events, such as ["campaign.paid"], not 1.',
    ],
    [
      () => client().subscribe({ target_url: 'x', events: ['y'], label: 'z' } as never),
      'Subscribe was not sent: label is not a field of this operation.',
    ],
    [() => client().getSubscription(''), 'Get Subscription was not sent: id must not be empty.'],
    [() => client().unsubscribe('..'), 'Unsubscribe was not sent: id must not be only dots.'],
    [
      () => client().listEvents({ limit: 201 }),
      'List Events was not sent: limit must be at most 200, not 201.',
    ],
  ])('%#', async (send, message) => {
    const error = await rejection(send());
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ message });
    expect(bench.service.received).toEqual([]);
  });
});

const secrets = [connectorKey, token, signingSecret] as const;
const repeat = echoed(...secrets);

const answers: readonly (readonly [string, ScriptedResponse])[] = [
  ['the detail of a problem', problem(400, { detail: repeat })],
  ['the title of a page', { status: 502, body: `<title>${repeat.replaceAll('<', '')}</title>` }],
  ['a redirect', { status: 302, headers: { location: `https://${token}.example` } }],
];

describe('a connector key that the relay quotes in any form', () => {
  it.each(answers)('in %s shows in no error', async (_where, answer) => {
    bench.service.on('GET /me', answer);
    const error = await rejection(relayClient(bench, { retry: false }).me());
    expect(error).toMatchObject({ status: answer.status ?? 200 });
    expect(formsIn(error, ...secrets)).toEqual([]);
  });

  it('as the error of a test event shows in no result, which is one short line', async () => {
    const echo = `401\r\n\u001b[31mAuthorization: Bearer ${token}\n${repeat}${'x'.repeat(7_000_000)}`;
    bench.service.on('POST /subscriptions/sub_1/test', {
      body: { delivered: false, event_id: 'evt_1', event_type: 'a', status: 401, error: echo },
    });
    const result = await relayClient(bench).sendTest('sub_1');
    expect(formsIn(result, ...secrets)).toEqual([]);
    expect(result?.error).toMatch(
      /^401 \\u001b\[31mAuthentication: Bearer \[redacted\] .{1,260}…$/,
    );
  });

  // One form at a time, since the end of a long text is cut.
  it.each(secrets.flatMap((secret) => Object.entries(formsOf(secret))))(
    'shows in no words that connectors show or log: %s, %s',
    async (_name, form) => {
      const subscription = { id: 'sub_1', state: 'off', off_reason: form };
      const test = { delivered: false, event_id: 'evt_1', event_type: 'a', error: form };
      bench.service.on('GET /me', { body: { name: form, source: form } });
      bench.service.on('PUT /subscriptions', { body: subscription });
      bench.service.on('GET /subscriptions/sub_1', { body: subscription });
      bench.service.on('POST /subscriptions/sub_1/test', { body: test });
      const relay = relayClient(bench);
      const input = { target_url: 'https://n8n.example/1', events: ['campaign.paid'] as const };
      const { name, source } = await relay.me();
      const { off_reason } = await relay.subscribe(input);
      const found = await relay.getSubscription('sub_1');
      const result = await relay.sendTest('sub_1');
      const shown = [name, source, off_reason, found?.off_reason, result?.error];
      expect(shown).toEqual(shown.map(() => expect.stringContaining('[redacted]')));
      expect(formsIn(shown, ...secrets)).toEqual([]);
    },
  );

  it('is sent in one place only: the token, as the bearer token', async () => {
    bench.service.on('PUT /subscriptions', { body: { id: 'sub_1', state: 'active' } });
    const input = { target_url: 'https://n8n.example/1', events: ['campaign.paid'] as const };
    await relayClient(bench).subscribe(input);
    const [received] = bench.service.received;
    const { authorization, ...headers } = received?.headers ?? {};
    expect(authorization).toBe(`Bearer ${token}`);
    expect(formsIn([headers, received?.path, received?.body], ...secrets)).toEqual([]);
    expect(authorization).not.toContain(signingSecret);
  });
});
