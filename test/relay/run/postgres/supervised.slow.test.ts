import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay, type Relay } from '@screen-advertising/relay';
import { eventually } from '../../../support/eventually.ts';
import { killPostgres } from '../../nothing-lost/postgres.ts';
import { postEvent } from '../../support/post-event.ts';
import { sourceSecret } from '../../support/running-relay.ts';

let dataDir: string;
let relay: Relay;
let errors: string[];

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'supervised-'));
  errors = [];
  relay = await createRelay({ dataDir, onError: (error) => errors.push(String(error)) });
  await relay.sources.add('main', sourceSecret);
});

afterEach(() => relay.close());

async function takesEvents(url: string): Promise<void> {
  const event = { id: '1', type: 'campaign.paid', data: {} };
  await eventually(async () => (await postEvent(url, event)) === 202, 'the relay takes events');
}

describe("the relay's own PostgreSQL, when it dies", () => {
  it('is started again, and the relay takes events', async () => {
    const { url } = await relay.listen();
    killPostgres(dataDir);
    await takesEvents(url);
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
