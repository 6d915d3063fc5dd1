import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { signWebhook } from '@screen-advertising/core';
import { createRelay } from '@screen-advertising/relay';
import { eventually } from '../../support/eventually.ts';
import { killPostgres } from '../nothing-lost/postgres.ts';
import { send, sourceSecret } from '../support/running-relay.ts';

it('starts its own PostgreSQL again when it dies, and then takes events', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'supervised-'));
  const errors: string[] = [];
  const relay = await createRelay({ dataDir, onError: (error) => errors.push(String(error)) });
  await relay.sources.add('main', sourceSecret);
  const { url } = await relay.listen();
  killPostgres(dataDir);
  const body = '{"id":"1","type":"campaign.paid","data":{}}';
  await eventually(async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = signWebhook({ body, secret: sourceSecret, timestamp });
    const headers = { 'x-service-signature': signature };
    return (await send(`${url}/in/main`, 'POST', headers, body)).status === 202;
  });
  expect(errors).toContain("RelayError: The relay's PostgreSQL has ended. It is started again.");
  await relay.close();
});
