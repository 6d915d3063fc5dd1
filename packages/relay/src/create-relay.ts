import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { recordAdmin } from './admin/record-admin.ts';
import { renewSecrets } from './admin/renew-secrets.ts';
import { Sources } from './admin/sources.ts';
import { Tokens } from './admin/tokens.ts';
import { relayApp } from './app.ts';
import { ScheduledClock } from './clock/relay-clock.ts';
import type { RelayContext } from './context.ts';
import { connect } from './database/connect.ts';
import { checkDatabaseUrl, explain } from './database/database-url.ts';
import { migrate } from './database/migrate.ts';
import { Notifier } from './database/notifier.ts';
import { listen, stopListening } from './http/listen.ts';
import { toProblem } from './http/to-problem.ts';
import { Maintenance } from './maintenance/maintenance.ts';
import { prune } from './maintenance/prune.ts';
import { atLeastAnHour, defaultRetentionDays, retentionOf } from './maintenance/retention.ts';
import { logObserver } from './observe/log.ts';
import { Metrics } from './observe/metrics.ts';
import { observers } from './observe/observer.ts';
import { adminTokenOf } from './operator/admin-token.ts';
import { checkPublicUrl } from './operator/public-url.ts';
import { SignInTokens, signInLink } from './operator/sign-in-tokens.ts';
import type { RelayOptions } from './options.ts';
import { openEmbeddedPostgres } from './postgres/embedded.ts';
import type { Relay } from './relay.ts';
import { RelayError } from './relay-error.ts';
import { checkSecretKey } from './secrets/check-secret-key.ts';
import { keyFromFile } from './secrets/key-file.ts';
import { SecretBox } from './secrets/secret-box.ts';
import { Sender } from './sender/sender.ts';
import { guardedAgent } from './targets/guarded-agent.ts';
import type { Outbound } from './targets/outbound.ts';
import { TargetRules } from './targets/target-rules.ts';

const connectTimeoutMs = 5_000;

/** Opens the database and migrates it. Rejects with a RelayError if the relay cannot start. */
export async function createRelay(options: RelayOptions = {}): Promise<Relay> {
  const { role = 'all', deliveryTimeoutMs = 15_000, log, onError } = options;
  const rules = new TargetRules(options.allowTargets ?? []);
  if (options.databaseUrl !== undefined) checkDatabaseUrl(options.databaseUrl);
  if (options.publicUrl !== undefined) checkPublicUrl(options.publicUrl);
  const { startAt, dataDir } = options;
  const retentionMs = retentionOf(options.retentionDays ?? defaultRetentionDays);
  const metrics = new Metrics();
  const observer = observers([metrics, ...(log ? [logObserver(log)] : [])]);
  const report = (error: unknown) => {
    observer.failed(error);
    onError?.(error);
  };
  const clock = new ScheduledClock(
    options.clock,
    startAt === undefined ? undefined : new Date(startAt).getTime(),
  );
  const box = new SecretBox(options.secretKey ?? (await keyFromFile(needed(dataDir, 'secretKey'))));
  const adminToken = await adminTokenOf(options);
  const postgres =
    options.databaseUrl === undefined
      ? await openEmbeddedPostgres(needed(dataDir, 'databaseUrl'))
      : undefined;
  const connectionString = options.databaseUrl ?? postgres?.connectionString ?? '';
  const database = connect(connectionString, report);
  const notifier = new Notifier(database.pool);
  const agent = guardedAgent(rules, {
    connectTimeoutMs,
    ...(options.resolve && { resolve: options.resolve }),
  });
  const wake = () => {
    sender?.wake();
    if (clock.runs) notifier.notify();
  };
  const random = options.random ?? Math.random;
  const outbound: Outbound = { agent, rules, timeoutMs: deliveryTimeoutMs };
  const settleDeadDeliveries = () => {
    if (isStarted) maintenance?.settle();
  };
  const context: RelayContext = {
    ...database,
    clock,
    box,
    wake,
    settleDeadDeliveries,
    outbound,
    report,
    observer,
  };
  const sender =
    role === 'ingress'
      ? undefined
      : new Sender(context, {
          random,
          concurrentSubscriptions: options.concurrentSubscriptions ?? 100,
        });
  const maintenance = sender && new Maintenance(context, { retentionMs, random });
  const servers = new Set<Server>();
  let isStarted = false;
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    await Promise.all([...[...servers].map(stopListening), sender?.stop(), maintenance?.stop()]);
    clock.clear();
    await notifier.close();
    await agent.destroy();
    await database.db.destroy();
    await postgres?.close();
  };

  const relay: Relay = {
    signInLink: (relayUrl) => signInLink(new SignInTokens(context), relayUrl),
    clock,
    sources: new Sources(context),
    tokens: new Tokens(context),
    ...recordAdmin(context),
    async prune(olderThanMs) {
      return prune(context, { before: clock.now() - atLeastAnHour(olderThanMs) });
    },
    async listen(port = 0, host = '127.0.0.1') {
      const app = relayApp(context, {
        takesEvents: role !== 'sender',
        metrics,
        operator: { adminToken, publicUrl: options.publicUrl },
      });
      const handle = async (request: Request, bindings: HttpBindings) =>
        app.fetch(request, bindings);
      const { server, url } = await listen(
        // Hono rethrows errors from another realm instead of handling them.
        (request, bindings) => handle(request, bindings).catch((error) => toProblem(error, report)),
        port,
        host,
      );
      servers.add(server);
      if (sender && !isStarted) {
        isStarted = true;
        sender.start();
        maintenance?.start();
        if (clock.runs) notifier.listen(connectionString, () => sender.wake());
      }
      return { url };
    },
    renewSecrets: () => renewSecrets(context),
    close() {
      closing ??= close();
      return closing;
    },
  };
  try {
    await migrate(database.db);
    await checkSecretKey(context);
  } catch (error) {
    await relay.close();
    throw options.databaseUrl === undefined ? error : explain(error, options.databaseUrl);
  }
  return relay;
}

function needed(dataDir: string | undefined, instead: string): string {
  if (dataDir !== undefined) return dataDir;
  throw new RelayError('configuration', `createRelay needs dataDir, or ${instead}.`);
}
