import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Pool } from 'pg';
import { runAsOperator } from '../api/handlers.ts';
import { migrate } from '../base/migrations.ts';
import { checkSecretKey, removeNewKeyAndReject } from '../base/secrets.ts';
import { Sender } from '../deliver/claim.ts';
import { combineObservers, type RelayContext } from '../log/context.ts';
import { atLeastAnHour, pruneEventsBefore } from '../log/prune.ts';
import { eventStream } from '../operate/event-stream.ts';
import { HourlyCounts } from '../operate/hourly-counts.ts';
import { Maintenance } from '../operate/maintenance.ts';
import { followProblemUrl } from '../operate/problems.ts';
import { reencryptSecrets, resetSecrets } from '../operate/renew-secrets.ts';
import { Sources } from '../operate/sources.ts';
import { Tokens } from '../operate/tokens.ts';
import { signInLink, signInTokens } from '../page/sign-in.ts';
import { metricsApp, relayApp, Servers } from './app.ts';
import { copyDatabase } from './postgres/copy-database.ts';
import { checkPooling, explainFailure } from './postgres/explain-failure.ts';
import type { Relay, RelayOptions } from './relay.ts';
import { openResources, type Resources } from './resources.ts';

/** Opens the database and migrates it. Rejects with a RelayError if the relay cannot start. */
export async function createRelay(options: RelayOptions = {}): Promise<Relay> {
  const { databaseUrl } = options;
  const resources = await openResources(options);
  const background = new Background(resources, options);
  const servers = new Servers(resources.report);
  let leaveDatabaseClock: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    await Promise.all([servers.stop(), background.stop()]);
    await background.save();
    leaveDatabaseClock?.();
    await resources.close();
  }

  const relay: Relay = {
    ...operations(background.context, resources),
    async listen(port = 0, host = '127.0.0.1') {
      const urls = await serve(servers, { resources, background, options }, { port, host });
      await background.start();
      return urls;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
  try {
    leaveDatabaseClock = await prepare(background.context, options, resources.newKeyFile);
  } catch (error) {
    await relay.close();
    throw databaseUrl === undefined ? error : explainFailure(error, databaseUrl);
  }
  return relay;
}

/** An operator may call these, also while the relay does not listen. */
function operations(
  context: RelayContext,
  { clock, connectionString, retentionMs }: Resources,
): Omit<Relay, 'listen' | 'close'> {
  return {
    signInLink: (relayUrl) => signInLink(signInTokens(context), relayUrl),
    clock,
    sources: new Sources(context),
    tokens: new Tokens(context),
    operate: (operation, ...asked) => runAsOperator(context, operation, ...asked),
    stream: eventStream(context),
    async prune(olderThanMs) {
      const now = clock.now();
      const before = now - atLeastAnHour(olderThanMs);
      return pruneEventsBefore(context, { before, offBefore: now - retentionMs });
    },
    renewSecrets: () => reencryptSecrets(context),
    resetSecrets: () => resetSecrets(context),
    copy: (to) => copyDatabase(connectionString, to),
  };
}

interface Served {
  readonly resources: Resources;
  readonly background: Background;
  readonly options: RelayOptions;
}

async function serve(
  servers: Servers,
  { resources, background: { context }, options }: Served,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<{ url: string; metricsUrl?: string }> {
  const { databases, metrics, adminToken } = resources;
  const { role, metricsPort, publicUrl } = options;
  const requests = { ...context, ...databases.requests };
  const app = relayApp({
    ingress: context,
    requests,
    takesEvents: role !== 'sender',
    metrics: metricsPort === undefined ? metrics : undefined,
    operator: { adminToken, publicUrl },
  });
  const url = await servers.serve(app, { port, host });
  if (metricsPort === undefined) return { url };
  const ofMetrics = metricsApp(metrics, requests);
  return { url, metricsUrl: await servers.serve(ofMetrics, { port: metricsPort, host }) };
}

/** Returns what ends its following of the database's clock, if it does. */
async function prepare(
  context: RelayContext,
  { databaseUrl, isSecretKeyLost, internal }: RelayOptions,
  newKeyFile: string | undefined,
): Promise<(() => void) | undefined> {
  if (databaseUrl !== undefined) await checkPooling(context.pool, databaseUrl);
  await migrate(context.db);
  if (!isSecretKeyLost) {
    await checkSecretKey(context).catch((error) =>
      newKeyFile === undefined ? Promise.reject(error) : removeNewKeyAndReject(newKeyFile, error),
    );
  }
  const isOnDatabaseClock = !context.clock.isFrozen && internal?.startAt === undefined;
  return isOnDatabaseClock ? followDatabaseClock(context) : undefined;
}

interface Followed {
  readonly pool: Pool;
  readonly clock: ScheduledClock;
  readonly observer: { clockRead(aheadMs: number): void };
  readonly report: (error: unknown) => void;
}

const readEveryMs = 10_000;

/**
 * Keeps the clock of the relay on the database's: machines' clocks differ, and what one process
 * stores, another one compares with its own time. Between two readings the clock runs on the
 * process's monotonic clock, so it survives a machine whose clock is set. Resolves after the first
 * reading with a function that ends it.
 */
export async function followDatabaseClock(followed: Followed): Promise<() => void> {
  const { clock, report } = followed;
  clock.set(await readClock(followed));
  const check = async () => {
    const startedAt = performance.now();
    const now = await readClock(followed);
    // The database read its clock at some moment of the query, so a smaller difference is none.
    const uncertainMs = (performance.now() - startedAt) / 2;
    if (Math.abs(clock.now() - now) > Math.max(uncertainMs, 1)) clock.set(now);
  };
  const timer = setInterval(() => void check().catch(report), readEveryMs).unref();
  return () => clearInterval(timer);
}

/** The present time by the database's clock, as if read in the middle of the query. */
async function readClock({ pool, observer }: Followed): Promise<number> {
  const startedAt = performance.now();
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  const now = (rows[0]?.ms ?? Date.now()) + (performance.now() - startedAt) / 2;
  observer.clockRead(Date.now() - now);
  return now;
}

/** The work of a relay beside the requests that it serves. */
class Background {
  readonly context: RelayContext;
  readonly #resources: Resources;
  readonly #sender: Sender | undefined;
  readonly #maintenance: Maintenance;
  readonly #hourlyCounts: HourlyCounts;
  #isStarted = false;

  constructor(resources: Resources, options: RelayOptions) {
    const { databases, clock, observer } = resources;
    const { role, problemUrl, publicUrl, internal } = options;
    this.#resources = resources;
    this.#hourlyCounts = new HourlyCounts({ db: databases.sending.db, clock });
    this.context = {
      ...databases.log,
      clock,
      box: resources.box,
      wake: () => this.#wake(),
      changed: () => this.#changed(),
      outbound: resources.outbound,
      problemUrl,
      report: resources.report,
      observer: combineObservers([observer, this.#hourlyCounts]),
    };
    if (role !== 'ingress') {
      const sending = { ...this.context, ...databases.sending };
      this.#sender = new Sender(sending, internal);
    }
    const page = publicUrl?.replace(/\/+$/, '');
    this.#maintenance = new Maintenance(this.context, resources.retentionMs, page);
  }

  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const sender = this.#sender;
    if (sender) await followProblemUrl(this.context);
    sender?.start();
    this.#maintenance.start();
    const { clock, notifier, connectionString } = this.#resources;
    if (sender && !clock.isFrozen) notifier.listen(connectionString, () => sender.wake());
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sender?.stop(), this.#maintenance.stop()]);
  }

  /** Once nothing adds to them. */
  async save(): Promise<void> {
    await this.#resources.clock.settle();
    await this.#hourlyCounts.flush();
  }

  #wake(): void {
    this.#sender?.wake();
    if (!this.#resources.clock.isFrozen) this.#resources.notifier.notify();
  }

  #changed(): void {
    this.#wake();
    this.#sender?.leaveEnded();
    if (this.#isStarted) this.#maintenance.settle();
  }
}
