import { beforeAll, describe, expect, it } from '@jest/globals';
import { startReceiver } from '../../sandbox/support/receiver.ts';
import { ownSource, type Running, start, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';
const none = '0'.repeat(32);

let running: Running;
/** Two subscriptions of one token, the first with a delivery, and one of another token. */
let own: string;
let beside: string;
let foreign: string;
let delivery: string;

beforeAll(async () => {
  running = await ownSource(await start());
  const { url } = await startReceiver();
  own = await subscribe(running, `${url}/own`);
  await running.deliver({ id: '1', type, data: {} });
  await running.relay.clock.advance(0);
  beside = await subscribe(running, `${url}/beside`);
  const { token } = await running.relay.tokens.create(running.source, 'foreign');
  foreign = await subscribe(running, `${url}/foreign`, { token });
  delivery = (await running.call('GET', '/deliveries')).body.data[0].id;
});

async function detail(id: string, verb: string, body: object): Promise<[number, string]> {
  const response = await running.call('POST', `/subscriptions/${id}/${verb}`, body);
  return [response.status, response.body.detail];
}

const period = { from: '2027-03-01T09:00:00Z', to: '2027-03-02T09:00:00Z' };
const ids = 'deliveries must be a list of 1 to 100 IDs of deliveries, such as ["dlv_0190…"].';
const states = 'must be a list of one or more of pending, delivered, ignored, dead.';
const times = 'must be a timestamp such as 2027-03-01T09:00:00Z.';
const oneOf = 'the body must name one of deliveries, states, missing and of.';
const ofPeriod = 'must be left out without states or missing.';

it.each([
  [{}, oneOf],
  [{ from: period.from }, oneOf],
  [{ deliveries: [] }, ids],
  [{ deliveries: Array(101).fill('dlv_1') }, ids],
  [{ deliveries: 'dlv_1' }, ids],
  [{ states: [] }, `states ${states}`],
  [{ states: ['lost'] }, 'states.0 must be pending, delivered, ignored or dead.'],
  [{ states: 'dead' }, `states ${states}`],
  [{ missing: false }, 'missing must be true, or left out.'],
  [{ of: 7 }, 'of must be the ID of one, such as sub_0190….'],
  [{ missing: true, from: 'today' }, `from ${times}`],
  [{ missing: true, to: 'today' }, `to ${times}`],
  [{ missing: true, from: period.to, to: period.from }, 'to must be a time after from.'],
  [{ states: ['dead'], from: period.to, to: period.to }, 'to must be a time after from.'],
  [{ states: ['dead'], missing: true }, 'missing must be left out, or states.'],
  [{ deliveries: ['dlv_1'], states: ['dead'] }, 'states must be left out, or deliveries.'],
  [{ missing: true, of: 'sub_1' }, 'of must be left out, or missing.'],
  [{ deliveries: ['dlv_1'], from: period.from }, `from ${ofPeriod}`],
  [{ of: 'sub_1', to: period.to }, `to ${ofPeriod}`],
  [{ states: ['dead'], state: 'dead' }, 'state: unknown field, leave it out.'],
] as const)('redeliver %j is refused', async (body, text) => {
  expect(await detail(own, 'redeliver', body)).toEqual([400, text]);
});

it.each([
  [{ deliveries: [] }, ids],
  [{ deliveries: Array(101).fill('dlv_1') }, ids],
  [{ states: ['pending'] }, 'states: unknown field, leave it out.'],
] as const)('retry %j is refused', async (body, text) => {
  expect(await detail(own, 'retry', body)).toEqual([400, text]);
});

it.each(['redeliver', 'retry'])(
  'deliveries of another subscription, or of none, get no %s',
  async (verb) => {
    expect(await detail(beside, verb, { deliveries: [delivery] })).toEqual([
      400,
      `deliveries: ${delivery} is of another subscription.`,
    ]);
    const unknown = delivery.replace(/[0-9a-f]{32}/, none);
    for (const id of [unknown, 'dlv_1']) {
      expect(await detail(own, verb, { deliveries: [delivery, id] })).toEqual([
        404,
        `There is no delivery ${id}, or it was pruned.`,
      ]);
    }
  },
);

describe('what another subscription had left', () => {
  it('is refused for itself, and for one that does not exist', async () => {
    for (const same of [own, own.replace(/\d+$/, '7')]) {
      expect(await detail(own, 'redeliver', { of: same })).toEqual([
        400,
        'of must be another subscription than this one.',
      ]);
    }
    expect(await detail(own, 'redeliver', { of: `sub_${none}_1` })).toEqual([
      404,
      `There is no subscription sub_${none}_1.`,
    ]);
  });

  it('needs the right to read, if it belongs to another token', async () => {
    const { relay, source, call } = running;
    const ask = async (rights: readonly string[]) => {
      const { token } = await relay.tokens.create(source, `of-${rights.join('-')}`, rights);
      const id = await subscribe(running, 'https://a.example/', { token });
      return call('POST', `/subscriptions/${id}/redeliver`, { of: foreign }, token);
    };
    const refused = await ask(['subscribe']);
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      'The subscription belongs to another token. This request needs the right read or manage, and this token has only subscribe. Ask the operator of the relay for a connector key with that right.',
    ]);
    expect((await ask(['subscribe', 'read'])).status).toBe(202);
    expect((await ask(['manage'])).status).toBe(202);
  });

  it('is refused for one of another source', async () => {
    const id = await subscribe(await ownSource(running), 'https://a.example/');
    expect(await detail(own, 'redeliver', { of: id })).toEqual([
      404,
      `There is no subscription ${id}.`,
    ]);
  });
});
