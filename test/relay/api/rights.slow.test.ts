import { beforeAll, describe, expect, it } from '@jest/globals';
import { relayContract } from '@screen-advertising/core/relay-contract';
import { pageActions } from '../../../packages/relay/src/page/actions.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { adminToken, Visitor } from '../page/support.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

const rights = ['subscribe', 'read', 'manage'] as const;
type Right = (typeof rights)[number];

/**
 * What a token may use that has only the right to subscribe, to read, or to manage: records of its `own`,
 * `all` of its source, or `no` one. The last requests end what the others use.
 */
const table: readonly (readonly [request: string, reaches: string])[] = [
  ['GET /me', 'all all all'],
  ['GET /events', 'all all all'],
  ['GET /events/{id}', 'all all all'],
  ['GET /subscriptions', 'own all all'],
  ['GET /subscriptions/{id}', 'own all all'],
  ['GET /deliveries', 'own all all'],
  ['GET /deliveries/{id}', 'own all all'],
  ['PUT /subscriptions', 'own no all'],
  ['PATCH /subscriptions/{id}', 'own no all'],
  ['POST /subscriptions/{id}/test', 'own no all'],
  ['POST /subscriptions/{id}/redeliver', 'own no all'],
  ['POST /subscriptions/{id}/retry', 'own no all'],
  ['POST /events/{id}/redeliver', 'own no all'],
  ['DELETE /subscriptions/{id}', 'own no all'],
  ['DELETE /events', 'no no all'],
];

/** A subscription and its delivery of the event. */
interface Owned {
  readonly token: string;
  readonly subscription: string;
  readonly delivery: string;
}

let shared: Running;
let target: string;

beforeAll(async () => {
  shared = await start({ adminToken });
  target = (await startReceiver()).url;
});

async function owned(running: Running, name: string, event: string): Promise<Owned> {
  const { relay, source, call, deliver } = running;
  const { token } = await relay.tokens.create(source, name);
  const subscription = await subscribe(running, `${target}/${name}`, { token });
  await deliver({ id: event, type: 'campaign.paid', data: {} });
  await relay.clock.advance(0);
  const [{ id }] = (await call('GET', '/deliveries', undefined, token)).body.data;
  return { token, subscription, delivery: id };
}

/** Sends a request of the API about a subscription, its delivery, or the event of it. */
async function ask({ call }: Running, request: string, about: Owned, token: string) {
  const [method = '', path = ''] = request.split(' ');
  const { subscription, delivery } = about;
  const event = delivery.replace(/^dlv_(.*)_\d+$/, 'evt_$1');
  const bodies: Readonly<Record<string, object>> = {
    'PUT /subscriptions': { target_url: `${target}/new`, events: ['campaign.paid'] },
    'PATCH /subscriptions/{id}': { name: 'Renamed' },
    'POST /subscriptions/{id}/redeliver': { deliveries: [delivery] },
    'POST /events/{id}/redeliver': { subscription },
  };
  const [, kind = ''] = path.split('/');
  const id = { events: event, deliveries: delivery, subscriptions: subscription }[kind] ?? '';
  const query = request === 'DELETE /events' ? `?search=${event}` : '';
  return call(method, `${path.replace('{id}', id)}${query}`, bodies[request], token);
}

/** In words that name what is missing, and who can give it. */
const refusal = expect.stringMatching(
  /^(The subscription belongs to another token\. )?This request needs the right (subscribe or |read or )?manage, and this token has only \w+\. Ask the operator of the relay for a connector key with that right\.$/,
);

/** Whether the relay allows it: a list may leave it out. */
async function isAllowed(running: Running, request: string, about: Owned, token: string) {
  const { status, body } = await ask(running, request, about, token);
  if (status === 403) {
    expect([request, body.title, body.detail]).toEqual([request, 'Forbidden', refusal]);
    return false;
  }
  expect([request, status, status < 300]).toEqual([request, status, true]);
  if (!/^GET \/(subscriptions|deliveries)$/.test(request)) return true;
  const ids = body.data.map(({ id }: { id: string }) => id);
  return ids.includes(about.subscription) || ids.includes(about.delivery);
}

/** Which requests a token reaches, by the table. */
const expectedOf = (right: Right) =>
  table.map(([request, reaches]) => {
    const reach = reaches.split(' ')[rights.indexOf(right)];
    // What it creates is its own.
    const isForAll = reach === 'all' || (reach === 'own' && request === 'PUT /subscriptions');
    return [request, reach !== 'no', isForAll];
  });

describe('a token with the right', () => {
  it.each(rights)('%s may send the requests that the table says, and no other', async (right) => {
    const running = await ownSource(shared);
    const [own, others] = [await owned(running, 'own', '1'), await owned(running, 'others', '2')];
    await running.query("UPDATE token SET rights = ARRAY[$1] WHERE name = 'own'", [right]);
    const found = [];
    for (const [request] of table) {
      const isForOwn = await isAllowed(running, request, own, own.token);
      found.push([request, isForOwn, await isAllowed(running, request, others, own.token)]);
    }
    expect(found).toEqual(expectedOf(right));
  });

  it('to manage does nothing on the page of the operator', async () => {
    const { relay, url } = shared;
    const { token } = await relay.tokens.create('main', 'manager', ['manage']);
    const visitor = new Visitor(url);
    await visitor.post('/operator/sign-in', { token });
    const own = { origin: url, authorization: `Bearer ${token}` };
    for (const action of Object.keys(pageActions)) {
      const { status, headers } = await visitor.post(`/operator/actions/${action}`, {}, own);
      expect([action, status, headers.location]).toEqual([action, 303, '/operator/sign-in']);
    }
  });

  it('is in the table with every request', () => {
    const requests = Object.values(relayContract).map(({ method, path }) => `${method} ${path}`);
    expect(requests.sort()).toEqual(table.map(([request]) => request).sort());
  });
});

describe('the rights of a token', () => {
  it('add up', async () => {
    const running = await ownSource(shared);
    const { relay, source, call } = running;
    const given = ['read', 'subscribe', 'read'];
    const { token } = await relay.tokens.create(source, 'both', given);
    const { body } = await call('GET', '/me', undefined, token);
    expect(body).toEqual({ name: 'both', source, rights: ['subscribe', 'read'] });
    const id = await subscribe(running, target);
    await subscribe(running, target, { token });
    expect((await call('GET', '/subscriptions', undefined, token)).body.data).toHaveLength(2);
    const refused = await call('DELETE', `/subscriptions/${id}`, undefined, token);
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'The subscription belongs to another token. This request needs the right manage, and this token has only subscribe and read. Ask the operator of the relay for a connector key with that right.',
    ]);
    expect(await relay.tokens.list()).toContainEqual(
      expect.objectContaining({ name: 'both', source, rights: ['subscribe', 'read'] }),
    );
  });

  it.each([[[]], [['write']], [['subscribe', '']], [['toString']]])(
    'are never %j',
    async (given) => {
      const { relay, source } = shared;
      await expect(relay.tokens.create(source, 'none', given)).rejects.toThrow(
        'rights: use one or more of subscribe, read, manage.',
      );
    },
  );
});
