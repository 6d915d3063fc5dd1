import { beforeAll, describe, expect, it } from '@jest/globals';
import { apiOperations } from '../../../packages/relay/src/api/api-app.ts';
import { actions } from '../../../packages/relay/src/operator/actions.ts';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { read } from '../../structure/project.ts';
import { adminToken, Visitor } from '../operator/support.ts';
import { onDatabase } from '../support/database.ts';
import { ownSource, type Running, start, startAt } from '../support/running-relay.ts';

const rights = ['subscribe', 'read', 'manage'] as const;
type Right = (typeof rights)[number];
type Cells = Readonly<Record<Right, string>>;

/** The table of the README: what a token with a right may do, by request. */
const table = new Map<string, Cells>(
  (
    /(?<=^\| Requests \| `subscribe` \| `read` \| `manage` \|\n\|[-|]+\|\n)(?:\|.*\n)+/m.exec(
      read('packages/relay/README.md'),
    )?.[0] ?? ''
  )
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [requests = '', subscribe = '', read_ = '', manage = ''] = line
        .slice(2, -2)
        .split(' | ');
      return requests
        .split(', ')
        .map((one) => [one.replaceAll('`', ''), { subscribe, read: read_, manage }] as const);
    }),
);

const routes = Object.values(apiOperations).flatMap((operations) => Object.keys(operations));

/** The last one ends what the others use. */
const inOrder = [...routes].sort(
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
    'POST /subscriptions/{id}/replay-missing': { since: startAt },
    'POST /events/{id}/replay': { subscription_id: subscription },
    'POST /deliveries/retry': { ids: [delivery] },
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
  // A delivery that arrived is not retried.
  const isExpected = status < 300 || (status === 409 && route === 'POST /deliveries/{id}/retry');
  expect([route, status, isExpected]).toEqual([route, status, true]);
  if (!/^GET \/(subscriptions|deliveries)$/.test(route)) return true;
  const ids = body.data.map(({ id }: { id: string }) => id);
  return ids.includes(about.subscription) || ids.includes(about.delivery);
}

describe('a token with the right', () => {
  it('is in a table of the README, with every request of the API', () => {
    expect([...table.keys()].sort()).toEqual([...routes, "The operator's page"].sort());
    expect(new Set([...table.values()].flatMap(Object.values))).toEqual(
      new Set(['all', 'own', 'no']),
    );
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
    for (const action of Object.keys(actions)) {
      const { status, headers } = await visitor.post(`/operator/actions/${action}`, {}, own);
      statuses.push([action, status, headers.location]);
    }
    expect(table.get("The operator's page")?.[right]).toBe('no');
    expect(statuses).toEqual(
      Object.keys(actions).map((action) => [action, 303, '/operator/sign-in']),
    );
  });
});

it('an operator who is signed in may do everything on the page', async () => {
  const visitor = await new Visitor(shared.url).signIn();
  for (const action of Object.keys(actions)) {
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
