import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay, type Relay } from '@screen-advertising/relay';
import { startReceiver } from '../../../sandbox/support/receiver.ts';
import { eventually } from '../../../support/eventually.ts';
import { killPostgres } from '../../support/kill-postgres.ts';
import { postEvent, send, sourceSecret } from '../../support/running-relay.ts';

let dataDir: string;
let relay: Relay;
let errors: string[];

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'supervised-'));
  errors = [];
  const onError = (error: unknown) => errors.push(String(error));
  relay = await createRelay({ dataDir, onError, allowTargets: ['127.0.0.1'] });
  await relay.sources.add('main', sourceSecret);
});

afterEach(() => relay.close());

async function takesEvents(url: string): Promise<void> {
  const event = { id: '1', type: 'campaign.paid', data: {} };
  await eventually(
    async () => (await postEvent(url, event)).status === 202,
    'the relay takes events',
  );
}

describe("the relay's own PostgreSQL, when it dies", () => {
  it('is started again, and the relay takes events and delivers them', async () => {
    const { url } = await relay.listen();
    const { url: target_url, arrivals } = await startReceiver();
    const authorization = `Bearer ${(await relay.tokens.create('main', 'own')).token}`;
    const put = { target_url, events: ['campaign.paid'] };
    await send(`${url}/api/v1/subscriptions`, 'PUT', { authorization }, put);
    killPostgres(dataDir);
    await takesEvents(url);
    await eventually(() => arrivals.length === 1, 'the event is delivered');
    expect(errors).toContain("RelayError: The relay's PostgreSQL has ended. It is started again.");
  });

  it('is retried while its folder cannot be used, and the reason is reported each time', async () => {
    const { url } = await relay.listen();
    const elsewhere = `${dataDir}-elsewhere`;
    killPostgres(dataDir);
    renameSync(dataDir, elsewhere);
    writeFileSync(dataDir, '');
    const reasons = () => errors.filter((error) => error.includes('EEXIST'));
    await eventually(() => reasons().length >= 2, 'two starts have failed');
    rmSync(dataDir);
    renameSync(elsewhere, dataDir);
    await takesEvents(url);
  });

  it('does not keep the relay from closing', async () => {
    killPostgres(dataDir);
    rmSync(dataDir, { recursive: true });
    writeFileSync(dataDir, '');
    await eventually(() => errors.some((error) => error.includes('EEXIST')), 'a start has failed');
    await expect(relay.close()).resolves.toBeUndefined();
  });
});
