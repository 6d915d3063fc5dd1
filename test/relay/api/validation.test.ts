import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Running, start } from '../support/running-relay.ts';

const target = 'https://hooks.example.com/1';
const cursorOf = (text: string) => Buffer.from(text).toString('base64url');
const uuid = '01959b2a-0000-7000-8000-000000000000';
const eventName = 'must be the name of an event, such as campaign.paid, of up to 200 characters.';
const tampered = 'cursor must be the cursor of the previous page, unchanged.';

const queries: [query: string, detail: string][] = [
  ...['/events', '/deliveries', '/subscriptions'].flatMap((list): [string, string][] => [
    [`${list}?limit=0`, 'limit must be at least 1.'],
    [`${list}?limit=201`, 'limit must be at most 200.'],
    ...['1.5', '', 'x'].map((limit): [string, string] => [
      `${list}?limit=${limit}`,
      'limit must be a whole number from 1 to 200.',
    ]),
    [`${list}?limit=5&limit=6`, 'limit: send it only once.'],
    [`${list}?page=2`, 'page: unknown field, leave it out.'],
    ...['', 'x', '%00', cursorOf('0'.repeat(100)), cursorOf("' OR 1=1"), cursorOf(`${uuid}x`)].map(
      (cursor): [string, string] => [`${list}?cursor=${cursor}`, tampered],
    ),
  ]),
  [`/events?cursor=${cursorOf(uuid)}!`, tampered],
  [`/events?cursor=${cursorOf(`${uuid} 1`)}`, tampered],
  [`/deliveries?cursor=${cursorOf(`${uuid} 9999999999`)}`, tampered],
  [`/subscriptions?cursor=${cursorOf('99999999999')}`, tampered],
  ['/events?from=yesterday', 'from must be a timestamp such as 2027-03-01T09:00:00Z.'],
  ['/events?to=2027-02-30T00:00:00Z', 'to must be a timestamp such as 2027-03-01T09:00:00Z.'],
  ['/events?type=', `type ${eventName}`],
  ['/events?type=a%00', `type ${eventName}`],
  ['/deliveries?state=lost', 'state must be pending, delivered, ignored or dead.'],
];

const subscribing: [body: unknown, detail: string][] = [
  ['{', 'The body is not valid JSON.'],
  ['null', 'the body must be a JSON object.'],
  ['[]', 'the body must be a JSON object.'],
  [
    {},
    'target_url must be a URL that starts with https://, of up to 2048 characters; events must be a list of 1 to 50 names of events, such as ["campaign.paid"].',
  ],
  [{ target_url: target, events: ['a'], more: 1 }, 'more: unknown field, leave it out.'],
  [
    { target_url: `${target}\0`, events: ['a'] },
    'target_url must be a URL that starts with https://, of up to 2048 characters.',
  ],
  [{ target_url: target, events: ['a', ''] }, `events.1 ${eventName}`],
  [
    { target_url: target, events: Array(51).fill('a') },
    'events must be a list of 1 to 50 names of events, such as ["campaign.paid"].',
  ],
  [
    { target_url: target, events: ['a'], name: '' },
    'name must have 1 to 200 characters, or be left out.',
  ],
  [
    { target_url: target, events: ['a'], max_concurrency: 17 },
    'max_concurrency must be at most 16.',
  ],
  [{ target_url: 'ftp://a', events: ['a'] }, 'target_url: use a URL that starts with https://.'],
  [
    { target_url: 'https://me:pass@example.com/', events: ['a'] },
    'target_url: leave out the username and password: lists show the URL.',
  ],
];

async function expectRefused(detail: string, method: string, path: string, sent?: unknown) {
  const { status, headers, body } = await running.call(method, path, sent);
  expect([path, body.detail]).toEqual([path, detail]);
  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
}

let running: Running;

beforeAll(async () => {
  running = await start();
});

describe('an invalid request', () => {
  it('gets an error that names the parameter at fault', async () => {
    for (const [path, detail] of queries) {
      await expectRefused(detail, 'GET', path);
    }
  });

  it('gets an error that names the member of the body at fault', async () => {
    for (const [body, detail] of subscribing) {
      await expectRefused(detail, 'PUT', '/subscriptions', body);
    }
  });

  it('with the wrong method gets the methods that the path supports', async () => {
    const rows: [method: string, path: string, allow: string][] = [
      ['POST', '/me', 'GET, HEAD'],
      ['POST', '/subscriptions', 'GET, HEAD, PUT'],
      ['POST', '/subscriptions/sub_1', 'DELETE, GET, HEAD, PATCH'],
      ['GET', '/subscriptions/sub_1/test', 'POST'],
      ['PUT', '/events', 'DELETE, GET, HEAD'],
      ['OPTIONS', '/deliveries', 'GET, HEAD'],
    ];
    for (const [method, path, allow] of rows) {
      const { status, headers, body } = await running.call(method, path);
      expect([path, status, headers.get('allow'), body.detail]).toEqual([
        path,
        405,
        allow,
        `/api/v1${path} takes ${allow}, not ${method}.`,
      ]);
    }
    expect((await running.call('GET', '/nothing')).body.detail).toBe(
      'The relay has no GET /api/v1/nothing.',
    );
    const head = await fetch(`${running.url}/api/v1/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${running.key.token}` },
    });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('from code, too, gets an error that names what is at fault', async () => {
    const { relay } = running;
    // @ts-expect-error An option that does not exist.
    await expect(relay.operate('subscriptions.list', { limmit: 5 })).rejects.toThrow(
      'limmit: unknown field, leave it out.',
    );
    // @ts-expect-error A state that does not exist.
    await expect(relay.operate('deliveries.list', { state: 'pendign' })).rejects.toThrow(
      'state must be pending, delivered, ignored or dead.',
    );
    await expect(relay.operate('events.redeliver', { id: 'evt_1' })).rejects.toThrow(
      'There is no event evt_1, or it was pruned.',
    );
  });
});
