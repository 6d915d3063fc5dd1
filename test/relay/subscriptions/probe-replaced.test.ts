import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyStandardWebhook } from '@screen-advertising/core/webhooks';
import { type Actor, rawResponse, startActor } from '../support/actor.ts';
import { ownSource, type Running, start } from '../support/running-relay.ts';

let shared: Running;
let running: Running;
let old: Actor;
let before: string;
let target: string;
let count = 0;

beforeAll(async () => {
  shared = await start();
  running = await ownSource(shared);
});

beforeEach(async () => {
  count += 1;
  target = `http://127.0.0.1:9/new/${count}`;
  old = await startActor();
  before = (await put({ target_url: old.url })).id;
});

async function put(body: object, { call } = running, { key } = running) {
  const events = ['campaign.paid'];
  const response = await call('PUT', '/subscriptions', { events, ...body }, key.token);
  expect([200, 201]).toContain(response.status);
  return response.body;
}

/** The addresses of the test's own that have a subscription. */
async function targets(): Promise<string[]> {
  const { data } = (await running.call('GET', '/subscriptions')).body;
  const all: string[] = data.map(({ target_url }: { target_url: string }) => target_url);
  return all.filter((url) => [target, old.url].includes(url));
}

const json = (body: unknown) => rawResponse(200, {}, JSON.stringify(body));
const replace = () => put({ target_url: target, replaces: before });

describe('a subscription that replaces one with another target', () => {
  it.each<[what: string, response: () => string]>([
    ['names the new target as its own', () => json({ target_url: target })],
    ['is gone (410)', () => rawResponse(410)],
    ['redirects to the new target', () => rawResponse(308, { location: target })],
  ])('ends it, if the old target %s', async (_what, response) => {
    old.answers.push(response());
    expect(await replace()).toMatchObject({ target_url: target, replaced: 'ended' });
    expect(await targets()).toEqual([target]);
  });

  it.each<[what: string, response: () => string, state: string]>([
    ['names itself', () => json({ target_url: 'http://127.0.0.1/old' }), 'separate'],
    ['says nothing', () => rawResponse(200), 'separate'],
    ['says no JSON', () => rawResponse(200, {}, '{"target_url":'), 'separate'],
    ['says null', () => json(null), 'separate'],
    [
      'says more than fits',
      () => json({ filler: 'a'.repeat(5_000), target_url: target }),
      'separate',
    ],
    [
      'stops in the middle',
      () => rawResponse(200, { 'content-length': '99' }, '{"targ'),
      'separate',
    ],
    ['is not there for now (404)', () => rawResponse(404), 'unreachable'],
    ['fails', () => rawResponse(503), 'unreachable'],
    ['redirects elsewhere', () => rawResponse(302, { location: `${target}/login` }), 'unreachable'],
    [
      'names the new target in an error',
      () => rawResponse(500, {}, `{"target_url":"${target}"}`),
      'unreachable',
    ],
  ])('keeps it, if the old target %s', async (_what, response, replaced) => {
    old.answers.push(response());
    expect(await replace()).toMatchObject({ target_url: target, replaced });
    expect(await targets()).toEqual([target, old.url]);
  });

  it('keeps it, if the old target echoes the probe', async () => {
    const { request } = await asked();
    old.answers.push(rawResponse(200, {}, request.split('\r\n\r\n')[1]));
    expect(await replace()).toMatchObject({ replaced: 'separate' });
    expect(request).not.toContain(target);
  });

  it('sends a probe that its own key signed, and that is not an event', async () => {
    const { request, header, body } = await asked();
    const { signingSecret } = running.key;
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      header(`webhook-${name}`),
    );
    const now = () => running.relay.clock.now();
    verifyStandardWebhook({ body, id, timestamp, signature, secrets: [signingSecret], now });
    expect(JSON.parse(body)).toEqual({ id, type: 'relay.probe', created_at: expect.any(String) });
    expect(request).not.toContain(running.key.token);
  });

  it('asks no target of another source', async () => {
    const other = await put({ target_url: target, replaces: before }, shared, shared);
    expect(other).not.toHaveProperty('replaced');
    expect([old.requests, await targets()]).toEqual([[], [old.url]]);
  });

  async function asked() {
    await replace();
    const request = old.requests[0] ?? '';
    const [head = '', body = ''] = request.split('\r\n\r\n');
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
    return { request, header, body };
  }
});

it('a subscription with other events and the same target needs no question', async () => {
  const changed = await put({ target_url: old.url, events: ['user.registered'], replaces: before });
  expect(changed).not.toHaveProperty('replaced');
  expect(old.requests).toEqual([]);
});
