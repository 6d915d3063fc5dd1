import { beforeAll, describe, expect, it } from '@jest/globals';
import { relayContract } from '@screen-advertising/core/relay-contract';
import { actions } from '../../../../packages/relay/src/operate/page/actions.ts';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { read } from '../../../structure/project.ts';
import { onDatabase } from '../../support/database.ts';
import { ownSource, type Running, start } from '../../support/running-relay.ts';
import { adminToken, Visitor } from '../page/support.ts';

const rights = ['subscribe', 'read', 'manage'] as const;
type Right = (typeof rights)[number];
type Cells = Readonly<Record<Right, string>>;

const anything: Cells = { subscribe: 'all', read: 'all', manage: 'all' };
const see: Cells = { subscribe: 'own', read: 'all', manage: 'all' };
const change: Cells = { subscribe: 'own', read: 'no', manage: 'all' };

/** What a token with a right may use by request: records of its `own`, `all` of its source, or `no` one. */
const table = new Map<string, Cells>([
  ['GET /me', anything],
  ['GET /events', anything],
  ['GET /events/{id}', anything],
  ['GET /subscriptions', see],
  ['GET /subscriptions/{id}', see],
  ['GET /deliveries', see],
  ['GET /deliveries/{id}', see],
  ['PUT /subscriptions', change],
  ['PATCH /subscriptions/{id}', change],
  ['DELETE /subscriptions/{id}', change],
  ['POST /subscriptions/{id}/test', change],
  ['POST /subscriptions/{id}/redeliver', change],
  ['POST /subscriptions/{id}/retry', change],
  ['POST /events/{id}/redeliver', change],
  ['DELETE /events', { subscribe: 'no', read: 'no', manage: 'all' }],
]);

/** Of the operator's page. */
const pageActions = [
  ...['subscriptions.redeliver', 'subscriptions.retry', 'events.redeliver', 'events.erase'],
  ...['subscriptions.change', 'subscriptions.test'],
  ...['add-source', 'rotate-source', 'create-token', 'rotate-token'],
  'revoke-token',
];

/** The last one ends what the others use. */
const inOrder = [...table.keys()].sort(
  (one, other) => Number(/^DEL/.test(one)) - Number(/^DEL/.test(other)),
);

interface Owned {
  readonly subscription: string;
  readonly delivery: string;
}

interface World {
  readonly running: Running;
  readonly event: string;
  /** With the right under test. */
  readonly token: string;
  readonly own: Owned;
  readonly others: Owned;
}

let shared: Running;
let target: string;

beforeAll(async () => {
  shared = await start({ adminToken });
  target = (await startReceiver([])).url;
});

async function world(right: Right): Promise<World> {
  const running = await ownSource(shared);
  const { relay, source, call, databaseUrl } = running;
  const tokens = {
    own: (await relay.tokens.create(source, 'own')).token,
    others: (await relay.tokens.create(source, 'others')).token,
  };
  const subscribed = async (who: keyof typeof tokens): Promise<string> => {
    const body = { target_url: `${target}/${who}`, events: ['campaign.paid'] };
    return (await call('PUT', '/subscriptions', body, tokens[who])).body.id;
  };
  const ids = { own: await subscribed('own'), others: await subscribed('others') };
  await running.deliver({ id: `evt_${right}`, type: 'campaign.paid', data: {} });
  await relay.clock.advance(0);
  const ownedBy = async (who: keyof typeof tokens): Promise<Owned> => {
    const [one] = (await call('GET', '/deliveries', undefined, tokens[who])).body.data;
    return { subscription: ids[who], delivery: one.id };
  };
  const [own, others] = [await ownedBy('own'), await ownedBy('others')];
  const [event] = (await call('GET', '/events')).body.data;
  await onDatabase(databaseUrl, (client) =>
    client.query("UPDATE token SET rights = ARRAY[$1] WHERE name = 'own'", [right]),
  );
  return { running, event: event.id, token: tokens.own, own, others };
}

/** Sends a request of the API about a subscription, its delivery, or the event of both. */
async function ask({ running, event, token }: World, route: string, about: Owned) {
  const [method = '', path = ''] = route.split(' ');
  const { subscription, delivery } = about;
  const [, kind = ''] = path.split('/');
  const id = { events: event, deliveries: delivery, subscriptions: subscription }[kind] ?? '';
  const bodies: Readonly<Record<string, object>> = {
    'PUT /subscriptions': { target_url: `${target}/new`, events: ['campaign.paid'] },
    'PATCH /subscriptions/{id}': { name: 'Renamed' },
    'POST /subscriptions/{id}/redeliver': { deliveries: [delivery] },
    'POST /events/{id}/redeliver': { subscription },
  };
  const query = route === 'DELETE /events' ? `?search=${event}` : '';
  return running.call(method, `${path.replace('{id}', id)}${query}`, bodies[route], token);
}

/** In words that name what is missing, and who can give it. */
const refusal = expect.stringMatching(
  /^(The subscription belongs to another token\. )?This request needs the right (subscribe or |read or )?manage, and this token has only \w+\. Ask the operator of the relay for a connector key with that right\.$/,
);

/** Whether the relay allows it: a list may leave it out. */
async function isAllowed(made: World, route: string, about: Owned): Promise<boolean> {
  const { status, body } = await ask(made, route, about);
  if (status === 403) {
    expect([route, body.title, body.detail]).toEqual([route, 'Forbidden', refusal]);
    return false;
  }
  expect([route, status, status < 300]).toEqual([route, status, true]);
  if (!/^GET \/(subscriptions|deliveries)$/.test(route)) return true;
  const ids = body.data.map(({ id }: { id: string }) => id);
  return ids.includes(about.subscription) || ids.includes(about.delivery);
}

/** The table of the README, as it is shown. */
function documented(): Record<string, Cells> {
  const [, text = ''] = read('packages/relay/README.md').split(
    '| Requests | `subscribe` | `read` | `manage` |\n|---|---|---|---|\n',
  );
  const [rows = ''] = text.split('\n\n');
  const cells = rows.split('\n').flatMap((line) => {
    const [requests = '', subscribe = '', right = '', manage = ''] = line.slice(2, -2).split(' | ');
    const all = requests.replaceAll('`', '').split(', ');
    return all.map((request) => [request, { subscribe, read: right, manage }] as const);
  });
  return Object.fromEntries(cells);
}

describe('a token with the right', () => {
  it('is documented, with every request of the API', () => {
    const nothing = { subscribe: 'no', read: 'no', manage: 'no' };
    expect(documented()).toEqual({ ...Object.fromEntries(table), "The operator's page": nothing });
    const requests = Object.values(relayContract).map(({ method, path }) => `${method} ${path}`);
    expect(requests.sort()).toEqual([...table.keys()].sort());
    expect(Object.keys(actions)).toEqual(pageActions);
  });

  it.each(rights)('%s may send the requests that the table says, and no other', async (right) => {
    const made = await world(right);
    const allowed = [];
    const expected = [];
    for (const route of inOrder) {
      const cell = table.get(route)?.[right];
      // What it creates is its own.
      const isForOthers = cell === 'all' || (cell === 'own' && route === 'PUT /subscriptions');
      expected.push([route, 'own', cell !== 'no'], [route, 'other', isForOthers]);
      allowed.push([route, 'own', await isAllowed(made, route, made.own)]);
      allowed.push([route, 'other', await isAllowed(made, route, made.others)]);
    }
    expect(allowed).toEqual(expected);
  });

  it.each(rights)('%s does nothing on the page of the operator', async (right) => {
    const { running, token } = await world(right);
    const visitor = new Visitor(running.url);
    const authorization = `Bearer ${token}`;
    await visitor.post('/operator/sign-in', { token });
    const own = { origin: running.url, authorization };
    const statuses = [];
    for (const action of pageActions) {
      const { status, headers } = await visitor.post(`/operator/actions/${action}`, {}, own);
      statuses.push([action, status, headers.location]);
    }
    expect(statuses).toEqual(pageActions.map((action) => [action, 303, '/operator/sign-in']));
  });
});

it('an operator who is signed in may do everything on the page', async () => {
  const visitor = await new Visitor(shared.url).signIn();
  for (const action of pageActions) {
    const { status, headers } = await visitor.post(`/operator/actions/${action}`);
    expect([action, status]).not.toEqual([action, 403]);
    expect(headers.location).not.toBe('/operator/sign-in');
  }
});

describe('the rights of a token', () => {
  it('add up', async () => {
    const { relay, source, call } = await ownSource(shared);
    const { token } = await relay.tokens.create(source, 'both', ['read', 'subscribe', 'read']);
    const { body } = await call('GET', '/me', undefined, token);
    expect(body).toEqual({ name: 'both', source, rights: ['subscribe', 'read'] });
    const put = { target_url: target, events: ['campaign.paid'] };
    const { id } = (await call('PUT', '/subscriptions', put)).body;
    expect((await call('PUT', '/subscriptions', put, token)).status).toBe(201);
    expect((await call('GET', '/subscriptions', undefined, token)).body.data).toHaveLength(2);
    const { status, body: problem } = await call(
      'DELETE',
      `/subscriptions/${id}`,
      undefined,
      token,
    );
    expect([status, problem.detail]).toEqual([
      403,
      'The subscription belongs to another token. This request needs the right manage, and this token has only subscribe and read. Ask the operator of the relay for a connector key with that right.',
    ]);
    expect(await relay.tokens.list()).toContainEqual(
      expect.objectContaining({ name: 'both', source, rights: ['subscribe', 'read'] }),
    );
  });

  it.each([[[]], [['write']], [['subscribe', '']]])('are never %j', async (given) => {
    const { relay, source } = shared;
    await expect(relay.tokens.create(source, 'none', given)).rejects.toThrow(
      'rights: use one or more of subscribe, read, manage.',
    );
  });
});
