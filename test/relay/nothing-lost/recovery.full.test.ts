import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../../packages/relay/src/postgres/embedded.ts';
import { adminToken, noticeIn, Visitor } from '../operator/support.ts';
import { onDatabase } from '../support/database.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, send } from '../support/running-relay.ts';
import { until } from './chaos.ts';
import { bodyOf, secret, type } from './service.ts';
import { environment } from './setting.ts';
import { Subscriber } from './subscriber.ts';

/** More than a request works on: the relay adds the rest in the background. */
const events = 2_500;
const since = new Date().toISOString();

/** A workflow that misses events, and the subscriber behind its address. */
interface Workflow {
  readonly subscriber: Subscriber;
  /** The ID of its subscription. */
  find(): Promise<string>;
  put(more?: object): Promise<string>;
  call(method: string, path: string, body?: object): Promise<ReturnType<typeof JSON.parse>>;
  /** A form of the page. Returns the notice. */
  submit(action: string, fields: Readonly<Record<string, string>>): Promise<string>;
}

interface Situation {
  /** What happens before the events arrive. */
  miss(workflow: Workflow): Promise<unknown>;
  /** What the page offers then. */
  readonly onPage: (workflow: Workflow) => Promise<string>;
  /** What the page says when nothing is missing. */
  readonly nothing: string;
}

/** The first batch has added nothing. The others follow in the background. */
const searching = 'The relay looks for them in the background.';

const publishedAgain: Pick<Situation, 'onPage' | 'nothing'> = {
  onPage: async ({ put, submit }) =>
    submit('replay-missing', { subscription: await put(), hours: '1' }),
  nothing: searching,
};

const situations: Readonly<Record<string, Situation>> = {
  'while it was unpublished': {
    miss: async ({ put, call }) => call('DELETE', `/${await put()}`),
    ...publishedAgain,
  },
  'while n8n was down, and the subscription switched off': {
    miss: async ({ put, submit }) => submit('switch-off', { subscription: await put() }),
    onPage: async ({ find, submit }) =>
      submit('recover-subscription', { subscription: await find() }),
    nothing: `Subscription switched on. ${searching}`,
  },
  'before the subscription existed': {
    // Its address had subscribed to other events.
    miss: async ({ put, call }) => call('DELETE', `/${await put({ events: ['coupon.redeemed'] })}`),
    ...publishedAgain,
  },
};

interface Cell {
  readonly name: string;
  readonly miss: Situation['miss'];
  /** Returns what the relay says. */
  recover(workflow: Workflow): Promise<unknown>;
  /** The same when nothing is missing. */
  readonly nothing: unknown;
}

const cells = Object.entries(situations).flatMap(([name, { miss, onPage, nothing }]): Cell[] => [
  { name: `${name}, by page`, miss, recover: onPage, nothing },
  {
    name: `${name}, by API`,
    miss,
    recover: async ({ put, call }) => call('POST', `/${await put()}/replay-missing`, { since }),
    nothing: { deliveries: 0, has_more: true },
  },
  {
    name: `${name}, by catch_up`,
    miss,
    recover: ({ put }) => put({ catch_up: true }),
    nothing: expect.stringMatching(/^sub_/),
  },
]);

/** On a busy machine a request may end with a 503, and is sent again. */
async function whenNotBusy<Response extends { readonly status: number }>(
  request: () => Promise<Response>,
): Promise<Response> {
  for (;;) {
    const response = await request();
    if (response.status !== 503) return response;
  }
}

async function openWorkflow(url: string, token: string): Promise<Workflow> {
  const subscriber = new Subscriber();
  const target_url = await subscriber.start();
  const call: Workflow['call'] = async (method, at, body) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body: answer } = await whenNotBusy(() =>
      send(`${url}/api/v1/subscriptions${at}`, method, headers, body),
    );
    if (status >= 300) throw new Error(answer.detail);
    return answer;
  };
  return {
    subscriber,
    call,
    find: async () => {
      const { data } = await call('GET', '');
      return data.find((one: { target_url: string }) => one.target_url === target_url).id;
    },
    put: async (more) => (await call('PUT', '', { target_url, events: [type], ...more })).id,
    submit: async (action, fields) => {
      const visitor = await new Visitor(url).signIn();
      const path = `/operator/actions/${action}`;
      const { status, headers, html } = await whenNotBusy(() => visitor.post(path, fields));
      if (status !== 303) throw new Error(html);
      return noticeIn((await visitor.get(headers.location ?? '')).html);
    },
  };
}

/**
 * Holds a batch of a job at its end, before it commits: the first one, in a request, or a later
 * one, in the background.
 */
const hold = `
CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(CASE TG_OP WHEN 'INSERT' THEN 1 ELSE 2 END);
  RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER hold BEFORE INSERT OR UPDATE OR DELETE ON job FOR EACH ROW EXECUTE FUNCTION hold()`;
const held = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";

/** Work that is left. */
const open = 'SELECT FROM job UNION ALL SELECT FROM delivery_pending';

/** Kills the relay in the middle of a batch that the work leads to. */
async function killIn(
  batch: 'first' | 'later',
  { connectionString }: EmbeddedPostgres,
  relay: RelayProcess,
  work: () => Promise<unknown>,
): Promise<void> {
  let working: Promise<unknown> | undefined;
  await onDatabase(connectionString, async (client) => {
    await client.query(`SELECT pg_advisory_lock(${batch === 'first' ? 1 : 2})`);
    working = work();
    if (batch === 'later') await working;
    await until(async () => (await client.query(held)).rowCount !== 0);
    await relay.kill();
  });
  await working;
  await relay.ready();
}

async function store({ connectionString }: EmbeddedPostgres): Promise<void> {
  const bodies = Array.from({ length: events }, (_, number) => bodyOf(number));
  await onDatabase(connectionString, (client) =>
    client.query(
      `INSERT INTO event (source_number, id, key, type, body, received_at)
      SELECT 1, uuidv7(), 'id:' || nth, $1, convert_to(body, 'UTF8'), now()
      FROM unnest($2::text[]) WITH ORDINALITY AS one (body, nth)`,
      [type, bodies],
    ),
  );
}

it('missed events are recovered once each by page, API and catch_up, although the relay is killed', async () => {
  const postgres = await openEmbeddedPostgres(mkdtempSync(path.join(tmpdir(), 'recovery-')));
  const databaseUrl = postgres.connectionString;
  const admin = await createRelay({ databaseUrl, secretKey, role: 'ingress' });
  await admin.sources.add('main', secret);
  const relay = await RelayProcess.start({
    ...environment,
    DATABASE_URL: databaseUrl,
    RELAY_ADMIN_TOKEN: adminToken,
  });
  const workflows: Workflow[] = [];
  try {
    for (const { name, miss } of cells) {
      const { token } = await admin.tokens.create('main', name);
      const workflow = await openWorkflow(relay.url, token);
      workflows.push(workflow);
      await miss(workflow);
    }
    await store(postgres);
    const recoverAll = async () => {
      const said: unknown[] = [];
      for (const [nth, workflow] of workflows.entries()) {
        said.push(await cells[nth]?.recover(workflow));
      }
      return said;
    };
    const recoverAtOnce = () =>
      Promise.allSettled(workflows.map((workflow, nth) => cells[nth]?.recover(workflow)));
    await onDatabase(databaseUrl, (client) => client.query(hold));
    await killIn('first', postgres, relay, recoverAtOnce);
    await killIn('later', postgres, relay, recoverAll);
    const arrived = () =>
      workflows.reduce((sum, { subscriber }) => sum + subscriber.accepted.size, 0);
    await until(() => arrived() > (events * cells.length) / 2);
    await relay.kill();
    const isIdle = () =>
      onDatabase(databaseUrl, async (client) => (await client.query(open)).rowCount === 0);
    await until(isIdle);
    expect(workflows.map(({ subscriber }) => outcomeOf(subscriber))).toEqual(
      cells.map(() => ({ missing: 0, withSeveralIds: 0, strange: [] })),
    );
    const once = cells.map(() => ({ deliveries: events, different: events }));
    expect(await counts(databaseUrl)).toEqual(once);
    expect(await recoverAll()).toEqual(cells.map(({ nothing }) => nothing));
    await until(isIdle);
    expect(await counts(databaseUrl)).toEqual(once);
    expect(relay.crashes).toEqual([]);
  } finally {
    await relay.stop();
    await admin.close();
    await Promise.all(workflows.map(({ subscriber }) => subscriber.stop()));
    await postgres.close();
  }
});

const outcomeOf = ({ accepted, ids, strange }: Subscriber) => ({
  missing: events - accepted.size,
  withSeveralIds: [...ids.values()].filter(({ size }) => size > 1).length,
  strange,
});

/** The deliveries to each target. */
async function counts(
  databaseUrl: string,
): Promise<readonly { deliveries: number; different: number }[]> {
  const query = `
    SELECT count(*)::integer AS deliveries, count(DISTINCT event_id)::integer AS different
    FROM delivery JOIN subscription ON subscription.number = subscription_number
    GROUP BY target_url`;
  return onDatabase(databaseUrl, async (client) => (await client.query(query)).rows);
}
