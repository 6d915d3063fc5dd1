import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { listen } from '../../shared/support/loopback.ts';
import { eventually } from '../../support/eventually.ts';
import { sampleOf, tier } from '../../support/tier.ts';
import { Hub } from '../hands/hub.ts';
import { start } from '../support/running-relay.ts';

const type = 'campaign.paid';
const times = tier === 'nightly' ? 100 : 12;
/** Several at a time, each after a pause: about 85 events a second. */
const [atOnce, pauseMs] = [6, 55];

/** Counts how often each event was accepted. */
async function startTarget(tookMs: number) {
  const accepted = new Map<number, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { number } = JSON.parse(Buffer.concat(chunks).toString()).data;
    await wait(tookMs);
    accepted.set(number, (accepted.get(number) ?? 0) + 1);
    response.writeHead(200).end();
  });
  const { port, close } = await listen(server);
  return { accepted, close, url: `http://127.0.0.1:${port}/hook` };
}

/** How the DELETE of what was published before meets the PUT that publishes again. */
const meetings = [
  ['3 ms before the PUT', -3],
  ['with the PUT', 0],
  ['3 ms after the PUT', 3],
] as const;

const cells = meetings.flatMap(([when, offsetMs]) =>
  [5, 60].flatMap((tookMs) =>
    (['subscribe', 'manage'] as const).map((right) => ({ when, offsetMs, tookMs, right })),
  ),
);

it.each(sampleOf(cells, 4))(
  'nothing is lost when a DELETE, of a token that may $right, is sent $when, and the target takes $tookMs ms',
  async ({ offsetMs, tookMs, right }) => {
    const first = await start({ clock: 'running' });
    const second = await start({ clock: 'running', databaseUrl: first.databaseUrl });
    const hub = new Hub({ ...first, urls: [first.url, second.url], admin: first.relay });
    const { token } = first.key;
    const other = await first.relay.tokens.create('main', 'other', [right]);
    const deleter = right === 'manage' ? other.token : token;
    const target = await startTarget(tookMs);
    const put = async () =>
      (await hub.call(token, 'PUT', '/subscriptions', { target_url: target.url, events: [type] }))
        .id;
    try {
      let id = await put();
      const from = hub.sent;
      const delivering = hub.deliver([type], atOnce, pauseMs);
      for (let left = times; left > 0; left -= 1) {
        await wait(40);
        const end = async () => {
          await wait(Math.max(0, offsetMs));
          await hub.call(deleter, 'DELETE', `/subscriptions/${id}`);
        };
        const publish = async () => {
          await wait(Math.max(0, -offsetMs));
          return put();
        };
        [id] = await Promise.all([publish(), end()]);
      }
      hub.end();
      await delivering;
      await eventually(async () => !(await hub.leftToDeliver()), 'everything is delivered');
      const events = [...hub.acknowledged.keys()].filter((number) => number >= from);
      const figures = {
        events: events.length,
        lost: events.filter((number) => !target.accepted.has(number)).length,
        duplicates: [...target.accepted.values()].reduce((sum, count) => sum + count - 1, 0),
      };
      writeSync(
        1,
        `\nDELETE at ${offsetMs} ms, target ${tookMs} ms, ${right}: ${JSON.stringify(figures)}\n`,
      );
      expect(figures).toMatchObject({ lost: 0, duplicates: 0 });
      expect(figures.events).toBeGreaterThan(times);
    } finally {
      hub.end();
      await target.close();
    }
  },
);
