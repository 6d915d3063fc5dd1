import { beforeEach, expect, it } from '@jest/globals';
import { event, WebhookBench } from './webhook-bench.ts';

const bench = new WebhookBench();
beforeEach(() => bench.begin());
const { id: _, ...anonymous } = event;

it('duplicates are acknowledged and start nothing', async () => {
  await bench.deliver();
  const repeats = [await bench.deliver(), await bench.deliver({ age: 600 })];
  expect(repeats.map(({ status }) => status)).toEqual([200, 200]);
  expect(bench.server.executions).toHaveLength(1);
});

it('duplicates without an ID are recognized by their body', async () => {
  await bench.deliver({ body: JSON.stringify(anonymous) });
  await bench.deliver({ body: JSON.stringify(anonymous) });
  await bench.deliver({ body: JSON.stringify({ ...anonymous, data: { code: 'OTHER' } }) });
  expect(bench.server.executions).toHaveLength(2);
});

it.each([
  ['an ID are remembered for an hour', event, { seconds: 3500, count: 1 }],
  ['an ID count as another event after that', event, { seconds: 3700, count: 2 }],
  ['only a body are remembered for a quarter of an hour', anonymous, { seconds: 890, count: 1 }],
  ['only a body count as another event after that', anonymous, { seconds: 910, count: 2 }],
])('duplicates with %s', async (_what, delivered, { seconds, count }) => {
  const trigger = bench.nextTrigger();
  const database = { staticData: '{}' };
  const body = JSON.stringify(delivered);
  const before = await bench.publish({}, { trigger, database });
  await bench.deliver({ body }, before);
  // Moves the stored times that far into the past.
  database.staticData = database.staticData.replace(/:(\d{10})\b/g, (_, at) => `:${at - seconds}`);
  const after = await bench.publish({}, { trigger, database });
  await bench.deliver({ body }, after);
  expect([...before.executions, ...after.executions]).toHaveLength(count);
});

it('duplicates that arrive while n8n creates the execution are to be delivered again', async () => {
  const creating = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const slow = await bench.publish(
    {},
    {
      onExecution: async () => {
        asked.resolve();
        await creating.promise;
      },
    },
  );
  const first = bench.deliver({}, slow);
  await asked.promise;
  const refused = await bench.deliver({}, slow);
  expect(await refused.json()).toEqual({
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'The same event is being worked on at this moment. Deliver it again.',
  });
  creating.resolve();
  expect([(await first).status, (await bench.deliver({}, slow)).status]).toEqual([200, 200]);
  expect(slow.executions).toHaveLength(1);
});

it('duplicates of a delivery that n8n could not execute start the workflow', async () => {
  let isAway = true;
  const failing = await bench.publish(
    {},
    {
      onExecution: () => {
        if (isAway) throw new Error('The queue is away.');
      },
    },
  );
  expect((await bench.deliver({}, failing)).status).toBe(500);
  isAway = false;
  expect((await bench.deliver({}, failing)).status).toBe(200);
  expect(failing.executions).toHaveLength(1);
});

it('duplicates of parallel deliveries to several processes are known to all of them, and to a new one', async () => {
  const many = Array.from({ length: 20 }, (_, nth) =>
    JSON.stringify({ ...event, id: `evt_parallel_${nth}` }),
  );
  // n8n has read its database for each before it writes the first.
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  const onExecution = async () => {
    waiting += 1;
    if (waiting === many.length) all.resolve();
    await all.promise;
  };
  const shared = {
    trigger: bench.nextTrigger(),
    database: { staticData: '{}' },
    onExecution,
  };
  const processes = await Promise.all([bench.publish({}, shared), bench.publish({}, shared)]);
  await Promise.all(many.map((body, nth) => bench.deliver({ body }, processes[nth % 2])));
  for (const [nth, process] of processes.entries()) {
    await bench.deliver({ body: JSON.stringify({ ...event, id: `evt_more_${nth}` }) }, process);
  }
  const restarted = await bench.publish({}, shared);
  for (const process of [...processes, restarted]) {
    for (const body of many) {
      expect((await bench.deliver({ body }, process)).status).toBe(200);
    }
  }
  const executions = [...processes, restarted].map((process) => process.executions.length);
  expect(executions).toEqual([11, 11, 0]);
});

it('duplicates are remembered over a restart, for the newest two thousand events', async () => {
  const trigger = bench.nextTrigger();
  const database = { staticData: '{}' };
  const stored = () => {
    const [[node, data] = []] = Object.entries(JSON.parse(database.staticData));
    return { node: String(node), keys: (data as { deliveries: string }).deliveries.split(' ') };
  };
  const before = await bench.publish({}, { trigger, database });
  await bench.deliver({}, before);
  const { node, keys } = stored();
  const older = Array.from(
    { length: 1999 },
    (_, index) => `older${index}:${Math.floor(Date.now() / 1000)}`,
  );
  database.staticData = JSON.stringify({ [node]: { deliveries: [...older, ...keys].join(' ') } });

  const after = await bench.publish({}, { trigger, database });
  await bench.deliver({}, after);
  expect(after.executions).toEqual([]);
  await bench.deliver({ body: JSON.stringify({ ...event, id: 'evt_new' }) }, after);
  expect(after.executions).toHaveLength(1);
  expect(stored().keys).toHaveLength(2000);
  expect(stored().keys.slice(0, 1)).toEqual(older.slice(1, 2));
  expect(database.staticData.length).toBeLessThan(60_000);
});

it('duplicates start the workflow while it is being built', async () => {
  const editor = await bench.publish({}, { mode: 'manual' });
  await bench.deliver({}, editor);
  await bench.deliver({}, editor);
  expect(editor.executions).toHaveLength(2);
});

it.each([
  ['the newest 20,000 events of a trigger', 19_998, 1],
  ['no more than those', 19_999, 2],
])('a process remembers %s', async (_what, between, count) => {
  const trigger = bench.nextTrigger();
  const database = { staticData: '{}' };
  const server = await bench.publish({}, { trigger, database });
  await bench.deliver({}, server);
  const now = Math.floor(Date.now() / 1000);
  const others = Array.from({ length: between }, (_, nth) => `other-${nth}:${now}`).join(' ');
  // As if other processes had stored them.
  database.staticData = database.staticData.replace(/(?<="deliveries":")/, `${others} `);
  await bench.deliver({ body: JSON.stringify({ ...event, id: 'evt_2' }) }, server);
  database.staticData = '{}';
  await bench.deliver({}, server);
  expect(server.executions).toHaveLength(count + 1);
});
