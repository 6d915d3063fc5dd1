import { describe, expect, it } from '@jest/globals';
import { createSandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { startReceiver } from '../support/receiver.ts';
import { type Running, start } from '../support/running-sandbox.ts';

const subscribe = ({ sandbox }: Running, url: string, access?: string) =>
  sandbox.webhooks.add({ url, access });

/** A sandbox that delivers to a receiver with these responses. */
async function listening(answers: (number | 'hang')[] = [], options: SandboxOptions = {}) {
  const service = await start(options);
  const receiver = await startReceiver(answers);
  subscribe(service, receiver.url);
  return { ...service, receiver };
}

const only = <Item>(items: readonly Item[]): Item => {
  expect(items).toHaveLength(1);
  return items[0] as Item;
};

describe('a delivery', () => {
  it('goes to every address of the access that owns the event, and to no other', async () => {
    const service = await start();
    const [mine, alsoMine, theirs] = await Promise.all([
      startReceiver(),
      startReceiver(),
      startReceiver(),
    ]);
    subscribe(service, mine.url);
    subscribe(service, alsoMine.url);
    subscribe(service, theirs.url, 'second');
    await service.sandbox.fire('user.registered', { email: 'new@example.com' });
    expect([mine, alsoMine, theirs].map(({ arrivals }) => arrivals.length)).toEqual([1, 1, 0]);
    await service.sandbox.fire('user.registered', {}, { access: 'second' });
    expect([mine, alsoMine, theirs].map(({ arrivals }) => arrivals.length)).toEqual([1, 1, 1]);
  });

  it('no longer goes to an address that was removed', async () => {
    const service = await start();
    const receiver = await startReceiver();
    const { id } = subscribe(service, receiver.url);
    service.sandbox.webhooks.remove(id);
    expect(await service.sandbox.fire('campaign.paid')).toEqual([]);
    expect(receiver.arrivals).toEqual([]);
    expect(() => service.sandbox.webhooks.remove(id)).toThrow(`There is no webhook address ${id}.`);
  });

  it('requires an http address', async () => {
    const service = await start();
    expect(() => subscribe(service, 'ftp://example.com/')).toThrow(
      'url: must be an http or https address such as http://127.0.0.1:5678/webhook/demo.',
    );
    for (const user of ['user:50%off', '%off']) {
      expect(() => subscribe(service, `http://${user}@127.0.0.1:9/`)).toThrow(
        'url: must be an address that writes a percent sign in its username or password as %25.',
      );
    }
    expect(() => subscribe(service, 'http://user:50%25off@127.0.0.1:9/')).not.toThrow();
    expect(() => subscribe(service, 'http://127.0.0.1/', 'nobody')).toThrow(
      'Unknown access nobody. Known: full, second, limited.',
    );
  });
});

describe('retries', () => {
  const failures = (count: number) => Array.from({ length: count }, () => 500);

  it('arrive after 1 s, 5 s, 30 s, 2 min and 10 min, with the same body; then it is exhausted', async () => {
    const { sandbox, receiver } = await listening(failures(99));
    const startedAt = sandbox.clock.now();
    const fired = only(await sandbox.fire('campaign.paid'));
    expect(fired.status).toBe('pending');
    expect(fired.nextAttemptAt).toBe(new Date(startedAt + 1000).toISOString());
    await sandbox.clock.advance(24 * 60 * 60 * 1000);

    const delivery = only(sandbox.deliveries.list());
    expect(delivery).toMatchObject({ id: fired.id, status: 'exhausted', nextAttemptAt: null });
    const seconds = delivery.attempts.map(({ at }) => (Date.parse(at) - startedAt) / 1000);
    expect(seconds).toEqual([0, 1, 6, 36, 156, 756]);
    expect(delivery.attempts[0]).toEqual({
      at: new Date(startedAt).toISOString(),
      manual: false,
      signature: expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      status: 500,
      latencyMs: expect.any(Number),
      error: 'responded with status 500',
    });
    expect(new Set(receiver.arrivals.map(({ body }) => body)).size).toBe(1);
    expect(receiver.arrivals).toHaveLength(6);
  });

  it('are made by an advance that starts during the first attempt', async () => {
    const { sandbox, receiver } = await listening([500]);
    const firing = sandbox.fire('campaign.paid');
    await sandbox.clock.advance(1000);
    expect(receiver.arrivals).toHaveLength(2);
    await firing;
  });

  it('arrive in real time while the clock runs', async () => {
    const { sandbox, receiver } = await listening([500], { clock: 'running' });
    await sandbox.fire('campaign.paid');
    await sandbox.clock.advance(990);
    const arrived = async () => {
      while (receiver.arrivals.length < 2) await new Promise((resolve) => setImmediate(resolve));
    };
    await arrived();
    expect(receiver.arrivals).toHaveLength(2);
  });
});

describe('what counts as failed', () => {
  it('a redirect, which is not followed', async () => {
    const service = await start();
    const [receiver, elsewhere] = await Promise.all([startReceiver([302]), startReceiver()]);
    receiver.answerHeaders.location = elsewhere.url;
    subscribe(service, receiver.url);
    const { attempts } = only(await service.sandbox.fire('campaign.paid'));
    expect(attempts[0]?.error).toBe('responded with status 302');
    expect(elsewhere.arrivals).toEqual([]);
  });

  it('no connection', async () => {
    const service = await start();
    subscribe(service, 'http://127.0.0.1:1/');
    const { attempts } = only(await service.sandbox.fire('campaign.paid'));
    expect(attempts[0]).toMatchObject({ status: null, error: 'connect ECONNREFUSED 127.0.0.1:1' });
  });

  it('no response in time', async () => {
    const { sandbox } = await listening(['hang'], { internal: { webhookTimeoutMs: 50 } });
    const { attempts } = only(await sandbox.fire('campaign.paid'));
    expect(attempts[0]).toMatchObject({ status: null, error: 'no response within 50 ms' });
  });
});

it('a restored delivery whose access is no longer in the options fails with the reason, on schedule and by hand', async () => {
  const first = await start();
  subscribe(first, 'http://127.0.0.1:1/');
  await first.sandbox.fire('campaign.paid');
  const { sandbox } = await start({
    accesses: [{ ...createSandbox().accesses[0], id: 'other' }],
  });
  sandbox.restore(first.sandbox.snapshot());
  await sandbox.clock.advance(24 * 60 * 60 * 1000);
  const { id, status, attempts } = only(sandbox.deliveries.list());
  const error = 'not sent: the access full that signs it no longer exists';
  expect(status).toBe('exhausted');
  expect(attempts.slice(1).map((attempt) => attempt.error)).toEqual(Array(5).fill(error));
  const again = await sandbox.deliveries.redeliver(id);
  expect(again.attempts.at(-1)).toMatchObject({ manual: true, status: null, error });
  const page = await (await sandbox.fetch('http://127.0.0.1/inspector/events')).text();
  expect(page).toContain(error);
});

describe('redelivering', () => {
  it('makes one more attempt, with a new signature, outside the schedule', async () => {
    const { sandbox, receiver } = await listening([500, 500, 500, 500, 500, 500]);
    const { id } = only(await sandbox.fire('campaign.paid'));
    await sandbox.clock.advance(24 * 60 * 60 * 1000);
    const delivery = await sandbox.deliveries.redeliver(id);
    expect(delivery.status).toBe('delivered');
    expect(delivery.attempts.at(-1)).toMatchObject({ manual: true, status: 200, error: null });
    const last = receiver.arrivals.at(-1);
    expect(last?.body).toBe(receiver.arrivals[0]?.body);
    const seconds = Math.floor(sandbox.clock.now() / 1000);
    expect(last?.headers['x-service-signature']).toContain(`t=${seconds},`);
  });

  it('leaves the schedule alone when it fails, and ends it when it succeeds', async () => {
    const { sandbox, receiver } = await listening([500, 500]);
    const { id } = only(await sandbox.fire('campaign.paid'));
    expect((await sandbox.deliveries.redeliver(id)).status).toBe('pending');
    expect((await sandbox.deliveries.redeliver(id)).status).toBe('delivered');
    await sandbox.clock.advance(24 * 60 * 60 * 1000);
    expect(receiver.arrivals).toHaveLength(3);
  });

  it('says when there is no such delivery', async () => {
    const { sandbox } = await start();
    await expect(sandbox.deliveries.redeliver('dlv_none')).rejects.toThrow(
      'There is no delivery dlv_none.',
    );
  });
});

it('a reset during a delivery leaves nothing of it', async () => {
  const { sandbox, receiver } = await listening([500]);
  const fired = sandbox.fire('campaign.paid');
  sandbox.reset();
  await fired;
  await sandbox.clock.advance(24 * 60 * 60 * 1000);
  expect(sandbox.deliveries.list()).toEqual([]);
  expect(receiver.arrivals).toHaveLength(1);
});
