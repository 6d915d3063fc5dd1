import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { chmodSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { freePort } from '../../support/free-port.ts';
import { openCollector } from '../support/collector.ts';
import { N8nApi } from '../support/n8n-api.ts';
import { installN8n, type N8nInstall } from '../support/n8n-install.ts';
import { startN8n } from '../support/n8n-server.ts';
import { addNodePackage } from '../support/node-package.ts';
import { startPostgres } from '../support/postgres.ts';
import { say } from '../support/progress.ts';
import { waitFor } from '../support/wait.ts';
import { type InstantRelay, openInstantRelay } from './instant-relay.ts';
import { instantWorkflow } from './instant-workflow.ts';

type Name = 'production' | 'staging';

const withinMs = 120_000;
const type = 'campaign.paid';

describe('an n8n that is restored from the backup of another', { timeout: 900_000 }, () => {
  const closing: (() => unknown)[] = [];
  const ports = new Map<Name, number>();
  let install: N8nInstall;
  let folder: string;
  let sandbox: Sandbox;
  let relay: InstantRelay;
  let webhook: string;

  const origin = (name: Name) => `http://127.0.0.1:${ports.get(name)}`;
  const home = (name: Name) => path.join(folder, name);
  const logOf = (name: Name) => readFileSync(path.join(home(name), `n8n-${name}.log`), 'utf8');

  async function start(name: Name) {
    const port = ports.get(name) ?? (await freePort());
    ports.set(name, port);
    const { program } = await startN8n({
      install,
      userFolder: home(name),
      name: `n8n ${name}`,
      port,
      env: {
        WEBHOOK_URL: `${origin(name)}/`,
        // Sets up every published workflow when it starts, as versions before 2.40 do.
        N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'false',
      },
    });
    closing.push(() => program.stop());
    const api = new N8nApi(origin(name));
    await api.signIn();
    return { api };
  }

  before(async () => {
    install = await installN8n();
    folder = await mkdtemp(path.join(tmpdir(), 'copied-'));
    // PostgreSQL's folder lies in it, and may belong to another account.
    chmodSync(folder, 0o755);
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const postgres = await startPostgres(folder);
    closing.push(() => postgres.program.stop());
    sandbox = createSandbox({ clock: 'frozen' });
    closing.push(() => sandbox.close());
    relay = await openInstantRelay({ postgres, sandbox });
    closing.push(() => relay.close());
    await addNodePackage(home('production'));
  });

  after(async () => {
    for (const end of closing.reverse()) await end();
  });

  /** To the time of n8n, which accepts no signature from another time. */
  async function catchUp(): Promise<void> {
    const ms = Math.max(0, Date.now() - sandbox.clock.now());
    await sandbox.clock.advance(ms);
    await relay.advance(ms);
  }

  /** Resolves once n8n has started the workflow this many times. */
  const started = (api: N8nApi, count: number) =>
    waitFor({ what: `${count} executions`, withinMs }, async () => {
      const executions = await api.executions();
      assert.ok(executions.length <= count, `${executions.length} executions`);
      return executions.length === count;
    });

  const live = (...names: readonly Name[]) =>
    waitFor({ what: `the subscriptions of ${names}`, withinMs }, async () => {
      const wanted = names.map((name) => `${origin(name)}${webhook} ${type}`).sort();
      return (await relay.live()).join() === wanted.join();
    });

  it('receives each event, and so does the other, until one of them is unpublished', async () => {
    say('Starting production');
    const production = await start('production');
    const credential = await production.api.createCredential('Relay', 'screenAdvertisingRelayApi', {
      baseUrl: relay.url,
      connectorKey: relay.connectorKey,
    });
    const collector = await openCollector();
    closing.push(() => collector.close());
    const workflow = await production.api.createWorkflow(
      instantWorkflow({ name: 'Paid', events: [type], credential, collector: collector.url }),
    );
    webhook = `/webhook/${workflow.nodes.find(({ name }) => name === 'Event')?.webhookId}/webhook`;
    await catchUp();
    await production.api.publish(workflow, `${origin('production')}${webhook}`);
    await live('production');

    say('Starting staging from a backup of it');
    await cp(path.join(home('production'), '.n8n'), path.join(home('staging'), '.n8n'), {
      recursive: true,
      filter: (file) => !/database\.sqlite/.test(file),
    });
    const database = new DatabaseSync(path.join(home('production'), '.n8n/database.sqlite'));
    await backup(database, path.join(home('staging'), '.n8n/database.sqlite'));
    database.close();
    const staging = await start('staging');
    await waitFor({ what: 'staging to set up the workflow', withinMs }, () =>
      logOf('staging').includes('Activated workflow "Paid"'),
    );
    for (let count = 0; count < 10; count += 1) {
      await catchUp();
      await sandbox.fire(type);
      await relay.advance(0);
    }
    await started(production.api, 10);
    await started(staging.api, 10);
    await live('production', 'staging');
    const warning = `receives events for "Event" of the workflow "Paid" at ${origin('production')}${webhook}`;
    assert.ok(logOf('staging').includes(warning), logOf('staging'));
    assert.ok(!logOf('production').includes('Another n8n'));

    say('Unpublishing the workflow in staging');
    await staging.api.rest('POST', `/workflows/${workflow.id}/deactivate`);
    await live('production');
    await catchUp();
    await sandbox.fire(type);
    await relay.advance(0);
    await started(production.api, 11);
    await started(staging.api, 10);
  });
});
