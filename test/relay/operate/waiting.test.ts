import { beforeAll, describe, expect, it } from '@jest/globals';
import { openPage } from '../page/support.ts';
import { onDatabase, start, subscribe } from '../support/running-relay.ts';

const type = 'campaign.paid';

/** Each with three events since it subscribed, and what else happened to it, by SQL. */
const states: Readonly<Record<string, string>> = {
  waits: '',
  idle: had('delivered'),
  retries: `${had('pending', "'2027-03-01T09:05:00Z'")}; ${fails('30 s', 'NULL')}`,
  pauses: `${had('pending', "'2027-03-01T09:00:05Z'")}; ${fails('10 min', "'2027-03-01T09:01:00Z'")}`,
  // The last event was delivered to it by hand.
  'waits and pauses': `${hadOne()}; ${fails('10 min', "'2027-03-01T09:01:00Z'")}`,
  dead: had('dead'),
  'off by hand': off('by_hand'),
  'off after a 410': off('gone'),
  'off without a key': `${had('pending', "'2027-03-01T09:05:00Z'")}; ${off('key_rotated')}`,
  'asked for by hand': `${had('delivered')};
    INSERT INTO job (kind, subscription_number, of_number, states, position, until)
    SELECT 'again', number, number, '{delivered}', 0, 100 FROM subscription WHERE name = $1`,
};

/** All three have one attempt, and this state. */
function had(state: string, nextAt = 'NULL'): string {
  return `INSERT INTO delivery (source_number, position, subscription_number, state, attempts,
      attempts_since_replay, replays, next_at)
    SELECT event.source_number, event.position, number, '${state}', 1, 1, 0, ${nextAt}::timestamptz
    FROM event, subscription WHERE name = $1;
    INSERT INTO attempt (source_number, position, subscription_number, number, at, status, error, duration_ms)
    SELECT event.source_number, event.position, number, 1, '2027-03-01T08:58:00Z',
      ${state === 'delivered' ? 'status.ok, NULL' : "500, 'responded with status 500'"}, 5
    FROM event, subscription, (SELECT 200 AS ok) AS status WHERE name = $1;
    UPDATE subscription SET position = (SELECT max(position) FROM event) WHERE name = $1`;
}

function hadOne(): string {
  return `INSERT INTO delivery (source_number, position, subscription_number, state, attempts,
      attempts_since_replay, replays)
    SELECT 1, max(event.position), number, 'delivered', 1, 1, 1
    FROM event, subscription WHERE name = $1 GROUP BY number`;
}

function fails(since: string, pausedUntil: string): string {
  return `UPDATE lease SET failing_since = '2027-03-01T09:00:00Z'::timestamptz - interval '${since}',
      paused_until = ${pausedUntil}
    FROM subscription WHERE number = subscription_number AND name = $1`;
}

function off(reason: string): string {
  return `UPDATE subscription SET state = 'off', off_reason = '${reason}', stopped_at = now() WHERE name = $1`;
}

/** In the order of the states. */
let api: Record<string, unknown>[];
let opened: Awaited<ReturnType<typeof openPage>>;

beforeAll(async () => {
  // Nothing is delivered.
  opened = await openPage({ role: 'ingress' });
  const names = Object.keys(states);
  for (const [nth, name] of names.entries()) {
    await subscribe(opened, `https://hooks.example.com/${nth}`, { name });
  }
  for (const id of ['1', '2', '3']) await opened.deliver({ id, type, data: {} });
  await onDatabase(opened.databaseUrl, async (client) => {
    for (const [name, text] of Object.entries(states)) {
      for (const one of text.split(';').filter((part) => part.trim() !== '')) {
        await client.query(one.replaceAll('$1', `'${name}'`));
      }
    }
  });
  const { data } = (await opened.call('GET', '/subscriptions')).body;
  api = data.reverse();
});

describe('ten states of a subscription, as', () => {
  it('the API shows them', () => {
    const shown = api.map((one) => [
      one.name,
      one.state,
      one.waiting,
      one.pending,
      one.has_request,
      one.failing_since,
      one.last_error,
      one.next_attempt_at,
    ]);
    const [error, now, paused] = [
      'responded with status 500',
      '2027-03-01T09:00:00.000Z',
      '2027-03-01T09:01:00.000Z',
    ];
    const [halfMinute, tenMinutes] = ['2027-03-01T08:59:30.000Z', '2027-03-01T08:50:00.000Z'];
    const due = '2027-03-01T09:05:00.000Z';
    expect(shown).toEqual([
      ['waits', 'active', 3, 0, false, null, null, now],
      ['idle', 'active', 0, 0, false, null, null, null],
      ['retries', 'active', 0, 3, false, halfMinute, error, due],
      ['pauses', 'active', 0, 3, false, tenMinutes, error, paused],
      ['waits and pauses', 'active', 2, 0, false, tenMinutes, null, paused],
      ['dead', 'active', 0, 0, false, null, null, null],
      ['off by hand', 'off', 3, 0, false, null, null, null],
      ['off after a 410', 'off', 3, 0, false, null, null, null],
      ['off without a key', 'off', 0, 3, false, null, null, null],
      ['asked for by hand', 'active', 0, 0, true, null, null, now],
    ]);
  });

  it('the page shows them', async () => {
    const shown = [];
    for (const { id } of api) {
      const { html } = await opened.visitor.get(`/operator/subscriptions/${id}`);
      const facts = new Map(
        [...html.matchAll(/<dt>(.*?)<\/dt>\s*<dd[^>]*>(.*?)<\/dd>/gs)].map(
          ([, name, text = '']) => [name, text.replace(/<[^>]*>/g, '').trim()],
        ),
      );
      shown.push(
        ['State', 'Waiting', 'Pending', 'Next attempt', 'Last delivered'].map((one) =>
          facts.get(one),
        ),
      );
    }
    const error = ': responded with status 500';
    const delivered = '2 min ago (2027-03-01 08:58:00)';
    const paused = 'in 1 min (2027-03-01 09:01:00)';
    const failed = 'failing for 10 min (since 2027-03-01 08:50:00)';
    const failedNow = 'failing for 1 min (since 2027-03-01 08:59:30)';
    const nothing = 'none: nothing waits or is pending';
    const none = 'none while it is off';
    expect(shown).toEqual([
      ['active', '3', '0', 'now', 'never'],
      ['active', '0', '0', nothing, delivered],
      [`${failedNow}${error}`, '0', '3', 'in 5 min (2027-03-01 09:05:00)', 'never'],
      [`${failed}${error}`, '0', '3', paused, 'never'],
      [failed, '2', '0', paused, 'never'],
      ['active', '0', '0', nothing, 'never'],
      ['off Switched off by an operator', '3', '0', none, 'never'],
      ['off The target responded with 410 (Gone)', '3', '0', none, 'never'],
      ['off Its key was rotated, and the new one has not been used', '0', '3', none, 'never'],
      ['active', '0, and what was asked for by hand', '0', 'now', delivered],
    ]);
  });

  it('the metrics show them', async () => {
    const text = await (await fetch(`${opened.url}/metrics`)).text();
    const sampleOf = (name: string, labels: string) => {
      const [, rest] = text.split(`${name}{${labels}} `);
      return rest === undefined ? 'none' : Number(rest.split('\n')[0]);
    };
    const shown = api.map(({ id, name }) => [
      name,
      ...['waiting', 'pending', 'dead'].map((state) =>
        sampleOf('relay_subscription_deliveries', `subscription="${id}",state="${state}"`),
      ),
      sampleOf('relay_subscription_failing_seconds', `subscription="${id}"`),
    ]);
    expect(shown).toEqual([
      ['waits', 3, 0, 0, 0],
      ['idle', 0, 0, 0, 0],
      ['retries', 0, 3, 0, 30],
      ['pauses', 0, 3, 0, 600],
      ['waits and pauses', 2, 0, 0, 600],
      ['dead', 0, 0, 3, 0],
      ['off by hand', 3, 0, 0, 'none'],
      ['off after a 410', 3, 0, 0, 'none'],
      ['off without a key', 0, 3, 0, 'none'],
      ['asked for by hand', 0, 0, 0, 0],
    ]);
    expect([
      sampleOf('relay_deliveries', 'state="waiting"'),
      sampleOf('relay_deliveries', 'state="pending"'),
    ]).toEqual([5, 9]);
    expect(
      ['gone', 'failing', 'by_hand', 'token_revoked', 'key_rotated'].map((reason) =>
        sampleOf('relay_subscriptions', `state="off",off_reason="${reason}"`),
      ),
    ).toEqual([1, 0, 1, 0, 1]);
    expect(sampleOf('relay_subscriptions', 'state="active"')).toBe(7);
  });
});

describe('an event', () => {
  const get = async (path: string) => (await opened.call('GET', path)).body;

  it('waits for those that want it and have not attempted it', async () => {
    const { data } = await get('/events');
    expect(data.map((one: { waiting: number }) => one.waiting)).toEqual([1, 2, 2]);
    expect((await get(`/events/${data[1].id}`)).waiting).toBe(2);
    const { html } = await opened.visitor.get(`/operator/events/${data[1].id}`);
    expect(html).toMatch(
      /Waiting for it<\/dt>\s*<dd[^>]*>waits, waits and pauses, off by hand \(off\), off after a 410 \(off\)</,
    );
    const list = (await opened.visitor.get('/operator/events')).html;
    expect(list.match(/>[12] waiting</g)).toEqual(['>1 waiting<', '>2 waiting<', '>2 waiting<']);
    expect(list.match(/>2 waiting, off</g)).toHaveLength(3);
  });

  it('that none wants has no subscription', async () => {
    await opened.deliver({ id: 'other', type: 'user.registered', data: {} });
    const { data } = await get('/events');
    expect([data[0].type, data[0].waiting]).toEqual(['user.registered', 0]);
    const list = (await opened.visitor.get('/operator/events')).html;
    expect(list.match(/no subscription/g)).toHaveLength(1);
    const { html } = await opened.visitor.get(`/operator/events/${data[0].id}`);
    expect(html).toContain('No subscription wanted it when it arrived. Deliver it to one.');
  });

  it('that came before its type was wanted waits for none, also of those that are behind', async () => {
    const events = [type, 'user.registered'];
    await subscribe(opened, 'https://hooks.example.com/0', { name: 'waits', events });
    const { data } = await get('/events');
    expect([data[0].type, data[0].waiting]).toEqual(['user.registered', 0]);
    const { waiting } = await get(`/subscriptions/${api[0]?.id}`);
    expect(waiting).toBe(3);
  });

  it('waits only for subscriptions of a token, as one without more rights sees it', async () => {
    const other = await opened.relay.tokens.create('main', 'other');
    const { data } = (await opened.call('GET', '/events', undefined, other.token)).body;
    expect(data.map((one: { waiting: number }) => one.waiting)).toEqual([0, 0, 0, 0]);
  });
});

it('a delivery has its next attempt once the pause of its subscription is over, and none while that is off', async () => {
  const next = async (nth: number) => {
    const path = `/deliveries?state=pending&subscription_id=${api[nth]?.id}`;
    return (await opened.call('GET', path)).body.data[0].next_attempt_at;
  };
  expect([await next(2), await next(3), await next(8)]).toEqual([
    '2027-03-01T09:05:00.000Z',
    '2027-03-01T09:01:00.000Z',
    null,
  ]);
  const { html } = await opened.visitor.get(`/operator/deliveries?subscription=${api[3]?.id}`);
  expect(html).toMatch(/Next attempt: in 1 min \(<time[^>]*>2027-03-01 09:01:00</);
});

it('a request for everything says how many it concerns, since when, and what it makes twice', async () => {
  const { html } = await opened.visitor.get(`/operator/subscriptions/${api[2]?.id}`);
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toContain(
    'What is pending, now: 3 since 2027-03-01 09:00:00 . Each keeps its webhook-id. Retry',
  );
  expect(text).toContain('What is dead: none. What it never got, since');
  const dead = await opened.visitor.get(`/operator/subscriptions/${api[5]?.id}`);
  expect(dead.html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain(
    'What is pending, now: none. What is dead: 3 since 2027-03-01 09:00:00 . Each gets a new webhook-id, so its workflow runs for it. Redeliver',
  );
  expect(text).toContain(
    '3 since 2027-03-01 09:00:00 . Each gets a new webhook-id, so workflows and Zaps run again for all of them: what they create or send, such as coupons and mails, comes twice. Redeliver all 3',
  );
});

it('the lag is what the relay may send: not what waits for one that pauses, or that a process delivers to', async () => {
  const lagAfter = async (text: string) => {
    await opened.query(text);
    // Each shows its metrics for five seconds.
    const { url } = await start({ role: 'ingress', databaseUrl: opened.databaseUrl });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^relay_lag_seconds (.*)$/m.exec(metrics)?.[1]);
  };
  const ofWaiting = "FROM subscription WHERE number = subscription_number AND name = 'waits'";
  expect([
    await lagAfter("UPDATE event SET received_at = '2027-03-01T08:58:00Z'"),
    await lagAfter(`UPDATE lease SET paused_until = '2027-03-01T09:00:30Z' ${ofWaiting}`),
    await lagAfter(`UPDATE lease SET paused_until = NULL ${ofWaiting}`),
    await lagAfter(`UPDATE lease SET leased_until = '2099-01-01' ${ofWaiting}`),
  ]).toEqual([120, 0, 120, 0]);
});
