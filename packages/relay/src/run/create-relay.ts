import type { ScheduledClock } from '@screen-advertising/server-kit';
import type { Pool } from 'pg';
import { metricsApp, relayApp } from '../app.ts';
import { migrate } from '../base/migrations.ts';
import { checkSecretKey, withoutNewKey } from '../base/secrets.ts';
import type { RelayContext } from '../log/context.ts';
import { Servers } from '../log/http/servers.ts';
import { atLeastAnHour, prune } from '../log/prune.ts';

import { eventStream } from '../operate/event-stream.ts';
import { operate } from '../operate/operate.ts';
import { signInLink, signInTokens } from '../operate/page/sign-in.ts';
import { reencryptSecrets, resetSecrets } from '../operate/secrets.ts';
import { Sources } from '../operate/sources.ts';
import { Tokens } from '../operate/tokens.ts';
import type { RelayOptions } from '../options.ts';
import type { Relay } from '../relay.ts';
import { Background } from './background.ts';
import { checkPooling } from './postgres/check-pooling.ts';
import { copyDatabase } from './postgres/copy-database.ts';
import { explainFailure } from './postgres/explain-failure.ts';
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

/** What its operator may do, also while it does not listen. */
function operations(
  context: RelayContext,
  { clock, connectionString, retentionMs }: Resources,
): Omit<Relay, 'listen' | 'close'> {
  return {
    signInLink: (relayUrl) => signInLink(signInTokens(context), relayUrl),
    clock,
    sources: new Sources(context),
    tokens: new Tokens(context),
    operate: (operation, ...asked) => operate(context, operation, ...asked),
    stream: eventStream(context),
    async prune(olderThanMs) {
      const now = clock.now();
      const before = now - atLeastAnHour(olderThanMs);
      return prune(context, { before, offBefore: now - retentionMs });
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

/** Metrics have a separate port if one is given. */
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
      newKeyFile === undefined ? Promise.reject(error) : withoutNewKey(newKeyFile, error),
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
