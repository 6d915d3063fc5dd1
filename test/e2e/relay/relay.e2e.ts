import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook, verifyWebhook } from '@screen-advertising/core';
import { urlOf } from '../../support/server-url.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';
import { type Layout, openLayout } from './layout.ts';

const type = 'coupon.redeemed';
const subscribers = 3;
const count = 600;
/** The service's pauses, shortened: only the responses matter here. */
const pausesMs = [100, 500, 1_000, 3_000, 10_000];

/** Takes what is delivered, by subscriber and event. */
async function openReceiver() {
  const arrivals = new Map<string, string[]>();
  let faults = 0;
  const secrets: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    try {
      const signature = request.headers['x-service-signature'];
      const event = verifyWebhook({ body, signature, secrets });
      const name = `${request.url} ${event.id}`;
      arrivals.set(name, [...(arrivals.get(name) ?? []), String(request.headers['webhook-id'])]);
    } catch {
      faults += 1;
    }
    response.end();
  });
  return {
    url: await urlOf(server),
    arrivals,
    secrets,
    faults: () => faults,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('the relay on two ingress and two sender processes', () => {
  let layout: Layout;
  let receiver: Awaited<ReturnType<typeof openReceiver>>;

  before(async () => {
    say('Starting the relay: two ingress and two sender processes behind a proxy');
    layout = await openLayout();
    receiver = await openReceiver();
    receiver.secrets.push(layout.key.signingSecret);
    for (let number = 1; number <= subscribers; number += 1) {
      const response = await fetch(`${layout.url}/api/v1/subscriptions`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${layout.key.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ target_url: `${receiver.url}/${number}`, events: [type] }),
      });
      assert.equal(response.status, 201);
    }
  });

  after(async () => {
    receiver?.close();
    await layout?.close();
  });

  /** Like the service: until the response is 2xx or no attempt is left. */
  async function deliver(id: string): Promise<number> {
    const body = JSON.stringify({ id, type, data: { code: 'SPRING-25' } });
    let status = 0;
    for (const pause of [0, ...pausesMs]) {
      await sleep(pause);
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = signWebhook({ body, secret: layout.signingSecret, timestamp });
      status = await fetch(`${layout.url}/in/main`, {
        method: 'POST',
        headers: { 'x-service-signature': signature },
        body,
      }).then(
        (response) => response.status,
        () => 0,
      );
      if (status >= 200 && status < 300) break;
    }
    return status;
  }

  it('delivers every event to every subscriber while each of them is updated or killed', async () => {
    const ends: ((name: string) => Promise<void>)[] = [layout.kill, layout.stop];
    let sent = 0;
    const statuses: number[] = [];
    const disturb = async () => {
      for (const name of layout.names) {
        for (const end of ends) {
          say(`${end === layout.kill ? 'Killing' : 'Stopping'} ${name}, at event ${sent}`);
          await end(name);
          await layout.start(name);
        }
      }
    };
    const disturbed = disturb();
    let isCalm = false;
    void disturbed.finally(() => {
      isCalm = true;
    });
    // Continues until the last incident is over.
    while (sent < count || !isCalm) {
      const batch = Array.from({ length: 10 }, () => deliver(String(sent++)));
      statuses.push(...(await Promise.all(batch)));
      if (sent >= count) await sleep(50);
    }
    await disturbed;
    assert.deepEqual(
      [...new Set(statuses)].sort().filter((status) => status < 200 || status > 299),
      [],
    );
    await waitFor(
      {
        what: 'every event to arrive at every subscriber',
        withinMs: 60_000,
        progress: () => receiver.arrivals.size,
      },
      () => receiver.arrivals.size === sent * subscribers,
    );
    assert.equal(receiver.faults(), 0);
    const all = [...receiver.arrivals.values()];
    const repeats = all.reduce((sum, ids) => sum + ids.length - 1, 0);
    say(`${sent} events × ${subscribers}: all arrived, ${repeats} more than once`);
    for (const ids of all) assert.equal(new Set(ids).size, 1);
  });
});
