import { describe, expect, it } from '@jest/globals';
import { echoed, formsIn, formsOf } from '../../support/secret-forms.ts';
import { rejection, useBench } from '../support/bench.ts';
import type { ScriptedResponse } from '../support/scripted-service.ts';
import { problem } from '../support/steps.ts';
import { connectorKey, relayClient, signingSecret, token } from './relay-bench.ts';

const bench = useBench();
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
      const input = { targetUrl: 'https://n8n.example/1', events: ['campaign.paid'] as const };
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
    const input = { targetUrl: 'https://n8n.example/1', events: ['campaign.paid'] as const };
    await relayClient(bench).subscribe(input);
    const [received] = bench.service.received;
    const { authorization, ...headers } = received?.headers ?? {};
    expect(authorization).toBe(`Bearer ${token}`);
    expect(formsIn([headers, received?.path, received?.body], ...secrets)).toEqual([]);
    expect(authorization).not.toContain(signingSecret);
  });
});
