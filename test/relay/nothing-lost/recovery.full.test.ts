import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';
import { openEmbeddedPostgres } from '../../../packages/relay/src/postgres/embedded.ts';
import { adminToken, noticeIn, Visitor } from '../operator/support.ts';
import { RelayProcess } from '../support/relay-process.ts';
import { secretKey, send } from '../support/running-relay.ts';
import { Service, secret, type } from './service.ts';
import { environment, until } from './setting.ts';
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
  const killed = async () => {
    await relay.kill();
    await relay.ready();
  };
  const workflows: Workflow[] = [];
  const recoverEach = () => workflows.map(async (workflow, nth) => cells[nth]?.recover(workflow));
  const recovered = () => workflows.map(({ subscriber }) => outcomeOf(subscriber));
  try {
    for (const { name, miss } of cells) {
      const { token } = await admin.tokens.create('main', name);
      const workflow = await openWorkflow(relay.url, token);
      workflows.push(workflow);
      await miss(workflow);
    }
    await new Service([`${relay.url}/in/main`]).deliver(events, 16);
    const interrupted = recoverEach().map((one) => one.catch(() => undefined));
    await Promise.race(interrupted);
    await killed();
    await Promise.all(interrupted);
    await Promise.all(recoverEach());
    const arrived = () =>
      workflows.reduce((sum, { subscriber }) => sum + subscriber.accepted.size, 0);
    const total = events * cells.length;
    for (const share of [0.05, 0.5]) {
      await until(() => arrived() > total * share);
      await killed();
    }
    await until(() => arrived() === total);
    expect(recovered()).toEqual(cells.map(() => ({ withSeveralIds: 0, strange: [] })));
    expect(await Promise.all(recoverEach())).toEqual(cells.map(({ nothing }) => nothing));

    const [workflow] = workflows;
    if (!workflow) throw new Error('There is no workflow.');
    const { subscriber, find, call } = workflow;
    const replay = call('POST', `/${await find()}/replay`);
    expect(await replay).toEqual({ replayed: 2_000, has_more: true });
    await killed();
    await until(() => [...subscriber.ids.values()].every(({ size }) => size === 2));
    expect(recovered().slice(1)).toEqual(
      cells.slice(1).map(() => ({ withSeveralIds: 0, strange: [] })),
    );
    expect(relay.crashes).toEqual([]);
  } finally {
    await relay.stop();
    await admin.close();
    await Promise.all(workflows.map(({ subscriber }) => subscriber.stop()));
    await postgres.close();
  }
});

/** A new delivery of an event has a new ID; a retry has the same. */
const outcomeOf = ({ ids, strange }: Subscriber) => ({
  withSeveralIds: [...ids.values()].filter(({ size }) => size > 1).length,
  strange,
});
