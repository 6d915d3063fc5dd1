import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { startReceiver } from '../support/receiver.ts';
import { start } from '../support/running-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const coupon = {
  discount_type: 'percent',
  discount_value: 5,
  lead_email: 'a@example.com',
  code: 'C',
};

describe('a snapshot', () => {
  it('brings back records, tokens, addresses and the time, over JSON and in another sandbox', async () => {
    const first = await start();
    const { clientId, clientSecret } = first.full;
    const credentials = { client_id: clientId, client_secret: clientSecret };
    const reply = await first.call('POST', '/oauth/token', { body: credentials });
    const token = JSON.parse(reply.text).access_token;
    await first.call('POST', '/coupons', { body: coupon });
    first.sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    await first.sandbox.clock.advance(5000);

    const text = JSON.stringify(first.sandbox.snapshot());
    const second = await start({ startAt: 0 });
    second.sandbox.restore(JSON.parse(text));
    expect(second.sandbox.clock.now()).toBe(first.sandbox.clock.now());
    expect(await second.read('/coupons/C', token)).toMatchObject({ status: 'active' });
    expect(second.sandbox.webhooks.list()).toEqual(first.sandbox.webhooks.list());
    expect(JSON.stringify(second.sandbox.snapshot())).toBe(text);
  });

  it('is a copy that later changes do not reach', async () => {
    const { sandbox } = await start();
    const snapshot = sandbox.snapshot();
    const text = JSON.stringify(snapshot);
    await sandbox.fire('user.registered');
    expect(JSON.stringify(snapshot)).toBe(text);
    sandbox.restore(snapshot);
    await sandbox.fire('user.registered');
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  it('takes up the retries that were due', async () => {
    const first = await start();
    const receiver = await startReceiver([500]);
    first.sandbox.webhooks.add({ url: receiver.url });
    await first.sandbox.fire('campaign.paid');
    const second = await start();
    second.sandbox.restore(first.sandbox.snapshot());
    await second.sandbox.clock.advance(1000);
    expect(second.sandbox.deliveries.list()).toMatchObject([{ status: 'delivered' }]);
    expect(receiver.arrivals).toHaveLength(2);
  });
});

describe('a reset', () => {
  it('goes back to the seed, and forgets faults, limits and the journal', async () => {
    const { sandbox, call } = await start({ rateLimit: { requests: 1 } });
    const seeded = JSON.stringify(sandbox.snapshot());
    await call('POST', '/coupons', { body: coupon });
    sandbox.faults.add({ fault: 'empty-body' });
    sandbox.webhooks.add({ url: 'http://127.0.0.1:1/' });
    sandbox.reset();
    expect(JSON.stringify(sandbox.snapshot())).toBe(seeded);
    expect([sandbox.faults.list(), sandbox.journal.list()]).toEqual([[], []]);
    expect((await call('GET', '/screens')).status).toBe(200);
  });
});

describe('a state file', () => {
  const folder = temporaryFolder();
  const newFile = async () => join(await mkdtemp(join(folder(), 'one-')), 'state.json');

  it('keeps the state from one sandbox to the next', async () => {
    const stateFile = await newFile();
    const first = await start({ stateFile });
    await first.call('POST', '/coupons', { body: coupon });
    await first.sandbox.close();
    const second = await start({ stateFile });
    expect(await second.read('/coupons/C')).toMatchObject({ status: 'active' });
  });

  it('wins with its records and its time over the other options, and can stand still', async () => {
    const stateFile = await newFile();
    const first = await start({ stateFile, clock: 'running', screens: 3 });
    await first.sandbox.clock.advance(3_600_000);
    await first.sandbox.close();
    const { sandbox } = await start({ stateFile, clock: 'frozen', startAt: 0, screens: 5 });
    expect(sandbox.screens.list()).toHaveLength(3);
    expect(sandbox.clock.isFrozen).toBe(true);
    expect(new Date(sandbox.clock.now()).toISOString()).toMatch(/^2027-03-01T10:/);
    const third = await start({ stateFile, clock: 'running' });
    expect(third.sandbox.clock.isFrozen).toBe(false);
  });

  it('is written soon after a change, not only at the end', async () => {
    const stateFile = await newFile();
    const { call } = await start({ stateFile });
    await call('POST', '/coupons', { body: coupon });
    const written = async () => {
      const text = await readFile(stateFile, 'utf8').catch(() => '');
      return text.includes('"C"');
    };
    while (!(await written())) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(await readFile(stateFile, 'utf8'))).toMatchObject({ version: 1 });
  });

  it('is whole, for its owner alone, and without leftovers beside it', async () => {
    const stateFile = await newFile();
    const { sandbox } = await start({ stateFile });
    for (let times = 0; times < 20; times += 1) sandbox.users.add();
    await sandbox.close();
    expect(await readdir(dirname(stateFile))).toEqual(['state.json']);
    expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(stateFile, 'utf8'))).toEqual(sandbox.snapshot());
  });

  it.each(['', '{', '{"version": 2}', '[]'])('that holds %j is refused', async (text) => {
    const stateFile = await newFile();
    await writeFile(stateFile, text);
    expect(() => createSandbox({ stateFile })).toThrow(
      `The state file ${stateFile} is not one that this sandbox wrote. Choose another file, or delete it to start anew.`,
    );
    expect(await readFile(stateFile, 'utf8')).toBe(text);
  });

  it('that cannot be kept is refused at the start', () => {
    expect(() => createSandbox({ stateFile: join(folder(), 'none', 'state.json') })).toThrow(
      /^The state cannot be kept in .*none\/state\.json: ENOENT: no such file or directory/,
    );
    expect(() => createSandbox({ stateFile: folder() })).toThrow('EISDIR');
  });
});
