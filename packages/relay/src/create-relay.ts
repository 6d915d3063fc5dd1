import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { listen, ScheduledClock, stopListening } from '@screen-advertising/server-kit';
import type { Hono } from 'hono';
import { eventStream } from './admin/event-stream.ts';
import { checkProblemUrl, followProblemUrl } from './admin/problem-url.ts';
import { recordAdmin } from './admin/record-admin.ts';
import { reencryptSecrets, resetSecrets } from './admin/secrets.ts';
import { sourceAdmin } from './admin/sources.ts';
import { tokenAdmin } from './admin/tokens.ts';
import { metricsApp, relayApp } from './app.ts';
import { followDatabaseClock } from './clock/database-clock.ts';
import type { RelayContext } from './context.ts';
import { checkPooling } from './database/check-pooling.ts';
import { connect, uses } from './database/connect.ts';
import { copyDatabase } from './database/copy-database.ts';
import { readDatabaseUrl } from './database/database-url.ts';
import { explainFailure } from './database/explain-failure.ts';
import { migrate } from './database/migrate.ts';
import { Notifier } from './database/notifier.ts';
import { toProblem } from './http/problems.ts';
import { Maintenance } from './maintenance/maintenance.ts';
import { atLeastAnHour, defaultRetentionDays, prune, retentionOf } from './maintenance/prune.ts';
import { HourlyCounts } from './observe/hourly-counts.ts';
import { logObserver } from './observe/log.ts';
import { Metrics } from './observe/metrics.ts';
import { observers } from './observe/observer.ts';
import { adminTokenOf } from './operator/admin-token.ts';
import { checkPublicUrl } from './operator/public-url.ts';
import { signInLink, signInTokens } from './operator/sign-in.ts';
import type { RelayOptions } from './options.ts';
import { superviseEmbeddedPostgres } from './postgres/embedded.ts';
import type { Relay } from './relay.ts';
import { RelayError } from './relay-error.ts';
import { keyFromFile } from './secrets/key-file.ts';
import { checkSecretKey } from './secrets/open-secrets.ts';
import { SecretBox } from './secrets/secret-box.ts';
import { Sender } from './sender/sender.ts';
import { guardedAgent } from './targets/guarded-agent.ts';
import type { Outbound } from './targets/post.ts';
import { proxied } from './targets/proxied.ts';
import { TargetRules } from './targets/target-rules.ts';

const connectTimeoutMs = 5_000;
/** How long requests under way may take when the relay stops. */
const longestDrainMs = 10_000;

/** Opens the database and migrates it. Rejects with a RelayError if the relay cannot start. */
export async function createRelay(options: RelayOptions = {}): Promise<Relay> {
  const { role = 'all', deliveryTimeoutMs = 15_000, log, onError } = options;
  const rules = new TargetRules(options.allowTargets ?? []);
  if (options.databaseUrl !== undefined) readDatabaseUrl(options.databaseUrl);
  const { publicUrl, problemUrl } = options;
  if (publicUrl !== undefined) checkPublicUrl(publicUrl);
  if (problemUrl !== undefined) checkProblemUrl(problemUrl, rules);
  const { startAt, dataDir } = options;
  const retentionMs = retentionOf(options.retentionDays ?? defaultRetentionDays);
  const metrics = new Metrics();
  const observer = observers([metrics, ...(log ? [logObserver(log)] : [])]);
  const report = (error: unknown) => {
    observer.failed(error);
    onError?.(error);
  };
  const clock = new ScheduledClock({
    isFrozen: options.clock === 'frozen',
    startAt: startAt === undefined ? undefined : new Date(startAt).getTime(),
  });
  const box = new SecretBox(options.secretKey ?? (await keyFromFile(needed(dataDir, 'secretKey'))));
  const adminToken = await adminTokenOf(options);
  const postgres =
    options.databaseUrl === undefined
      ? await superviseEmbeddedPostgres(needed(dataDir, 'databaseUrl'), report)
      : undefined;
  const connectionString = options.databaseUrl ?? postgres?.connectionString ?? '';
  const databases = {
    ingress: connect(connectionString, report, uses.ingress),
    sending: connect(connectionString, report, uses.sending),
    background: connect(connectionString, report, uses.background),
    reading: connect(connectionString, report, uses.reading),
    writing: connect(connectionString, report, uses.writing),
  };
  const notifier = new Notifier(databases.ingress.pool);
  const direct = guardedAgent(rules, {
    connectTimeoutMs,
    ...(options.resolve && { resolve: options.resolve }),
  });
  const { agent, destroy } = options.proxy
    ? proxied(direct, options.proxy, { rules, connectTimeoutMs })
    : { agent: direct, destroy: () => direct.destroy() };
  const wake = () => {
    sender?.wake();
    if (!clock.isFrozen) notifier.notify();
  };
  const changed = () => {
    wake();
    sender?.leaveEnded();
    if (isStarted) maintenance.settle();
  };
  const random = options.random ?? Math.random;
  const outbound: Outbound = { agent, rules, timeoutMs: deliveryTimeoutMs };
  const hourlyCounts = new HourlyCounts({ db: databases.sending.db, clock });
  const context: RelayContext = {
    ...databases.background,
    clock,
    box,
    wake,
    changed,
    outbound,
    problemUrl,
    report,
    observer: observers([observer, hourlyCounts]),
  };
  const sender =
    role === 'ingress'
      ? undefined
      : new Sender(
          { ...context, ...databases.sending },
          { random, concurrentSubscriptions: options.concurrentSubscriptions ?? 100 },
        );
  const maintenance = new Maintenance(context, {
    retentionMs,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
  });
  let leaveDatabaseClock: (() => void) | undefined;
  const servers = new Set<Server>();
  let isStarted = false;
  let closing: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    const stopped = [...servers].map((server) => stopListening(server, longestDrainMs));
    await Promise.all([...stopped, sender?.stop(), maintenance.stop()]);
    await clock.settle();
    await hourlyCounts.flush();
    clock.clear();
    leaveDatabaseClock?.();
    await notifier.close();
    await destroy();
    // Kysely would leave a pool open that only this relay's own statements used.
    await Promise.all(Object.values(databases).map(({ pool }) => pool.end()));
    await postgres?.close();
  };

  const relay: Relay = {
    signInLink: (relayUrl) => signInLink(signInTokens(context), relayUrl),
    clock,
    sources: sourceAdmin(context),
    tokens: tokenAdmin(context),
    ...recordAdmin(context),
    stream: eventStream(context),
    async prune(olderThanMs) {
      return prune(context, { before: clock.now() - atLeastAnHour(olderThanMs) });
    },
    async listen(port = 0, host = '127.0.0.1') {
      const reading = { ...context, ...databases.reading };
      const app = relayApp({
        ingress: { ...context, ...databases.ingress },
        reading,
        writing: { ...context, ...databases.writing },
        takesEvents: role !== 'sender',
        metrics: options.metricsPort === undefined ? metrics : undefined,
        operator: { adminToken, publicUrl },
      });
      const serve = async (served: Hono, on: number) => {
        const handle = async (request: Request, bindings: HttpBindings) =>
          served.fetch(request, bindings);
        const { server, url } = await listen(
          // Hono rethrows errors from another realm instead of handling them.
          (request, bindings) =>
            handle(request, bindings).catch((error) => toProblem(error, report)),
          { port: on, host },
        );
        servers.add(server);
        return url;
      };
      const url = await serve(app, port);
      const metricsUrl =
        options.metricsPort === undefined
          ? undefined
          : await serve(metricsApp(metrics, reading), options.metricsPort);
      if (!isStarted) {
        isStarted = true;
        if (sender) await followProblemUrl(context);
        sender?.start();
        maintenance.start();
        if (sender && !clock.isFrozen) notifier.listen(connectionString, () => sender.wake());
      }
      return metricsUrl === undefined ? { url } : { url, metricsUrl };
    },
    renewSecrets: () => reencryptSecrets(context),
    resetSecrets: () => resetSecrets(context),
    copy: (to) => copyDatabase(connectionString, to),
    close() {
      closing ??= close();
      return closing;
    },
  };
  try {
    if (options.databaseUrl !== undefined) await checkPooling(context.pool, options.databaseUrl);
    await migrate(context.db);
    if (!clock.isFrozen && startAt === undefined) {
      leaveDatabaseClock = await followDatabaseClock(context);
    }
    if (!options.isSecretKeyLost) await checkSecretKey(context);
  } catch (error) {
    await relay.close();
    throw options.databaseUrl === undefined ? error : explainFailure(error, options.databaseUrl);
  }
  return relay;
}

function needed(dataDir: string | undefined, instead: string): string {
  if (dataDir !== undefined) return dataDir;
  throw new RelayError('configuration', `createRelay needs dataDir, or ${instead}.`);
}
