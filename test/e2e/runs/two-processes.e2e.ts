import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { signWebhook } from '@screen-advertising/core';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import type { Server } from '../../support/launch.ts';
import { type Collector, openCollector } from '../support/collector.ts';
import { N8nApi } from '../support/n8n-api.ts';
import { addNodePackage, installN8n, type N8nProcess, startN8n } from '../support/n8n-server.ts';
import { installing } from '../support/open-world.ts';
import { startPostgres } from '../support/postgres.ts';
import { addCredentials, webhookUrl } from '../support/set-up.ts';
import { waitFor } from '../support/wait.ts';
import { collect, collecting, everyTenSeconds, inLine, ownNode } from '../support/workflows.ts';

const withinMs = 300_000;

let folder: string;
let postgres: Server;
let databasePort: number;
const running: N8nProcess[] = [];
let sandbox: Sandbox;
let collector: Collector;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'two-processes-'));
  // PostgreSQL's folder lies in it, and may belong to another account.
  chmodSync(folder, 0o755);
  ({ program: postgres, port: databasePort } = await startPostgres(folder));
  sandbox = createSandbox();
  collector = await openCollector();
}, installing);

after(async () => {
  await Promise.all(running.map(({ program }) => program.stop()));
  await postgres?.stop();
  await sandbox?.close();
  collector?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A plain n8n, outside queue mode. During an update, a new one starts before the old one ends. */
async function start(name: string): Promise<N8nProcess> {
  const userFolder = path.join(folder, name);
  await addNodePackage(userFolder);
  const started = await startN8n({
    install: await installN8n(),
    userFolder,
    name: `n8n ${name}`,
    env: {
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(databasePort),
      DB_POSTGRESDB_DATABASE: 'postgres',
      DB_POSTGRESDB_USER: 'n8n',
      N8N_ENCRYPTION_KEY: 'encryption-key-of-the-tests',
    },
  });
  running.push(started);
  return started;
}

it('two plain n8n processes that overlap on one database start each delivery once, and miss no poll', {
  timeout: 1_200_000,
}, async () => {
  const { baseUrl } = await sandbox.listen();
  const old = await start('old');
  const api = new N8nApi(old.url);
  await api.signIn();
  const credentials = await addCredentials(api, sandbox, baseUrl);
  const events = await api.createWorkflow(
    collecting(credentials.screenAdvertisingWebhookApi, collector.url),
  );
  await api.publish(events, webhookUrl(old.url, events));
  const polled = await api.createWorkflow(
    inLine(
      'Poll',
      ownNode('Poll', 'screenAdvertisingPollingTrigger', credentials.screenAdvertisingApi, {
        pollTimes: everyTenSeconds,
        authentication: 'apiKey',
        events: ['campaign_request.created'],
      }),
      collect(collector.url, '$json.data.id'),
    ),
  );
  await api.publish(polled);
  await waitFor({ what: 'the first poll', withinMs }, () => sandbox.journal.list().length > 0);

  const next = await start('next');
  const [toOld, toNext] = [webhookUrl(old.url, events), webhookUrl(next.url, events)];
  await api.registered(toNext, events.name);
  // The response got lost, and the next process receives the retry.
  await deliver(toOld, 'evt_retried');
  await found('evt_retried');
  await deliver(toNext, 'evt_retried');
  await deliver(toNext, 'evt_during');
  const { id: during } = sandbox.campaignRequests.add();
  await found('evt_during', during);

  await old.program.stop();
  await deliver(toNext, 'evt_later');
  const { id: later } = sandbox.campaignRequests.add();
  await found('evt_later', later);
  for (const id of ['evt_retried', 'evt_during', 'evt_later', later]) {
    assert.equal(collector.effects.get(id)?.length, 1, `${id} started the workflow once`);
  }
});

async function deliver(url: string, id: string): Promise<void> {
  const [{ signingSecret: secret }] = sandbox.accesses;
  const body = JSON.stringify({ id, type: 'campaign.paid', data: {} });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': signWebhook({ body, secret, timestamp }),
  };
  const { status } = await fetch(url, { method: 'POST', headers, body });
  assert.equal(status, 200, `${id} is acknowledged`);
}

async function found(...ids: string[]): Promise<void> {
  const missing = () => ids.filter((id) => !collector.effects.has(id));
  await waitFor({ what: 'the executions', withinMs, progress: () => missing().length }, () => {
    return missing().length === 0;
  });
}
