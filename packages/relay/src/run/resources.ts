import { ScheduledClock } from '@screen-advertising/server-kit';
import { connectAll, Notifier, readDatabaseUrl } from '../base/database.ts';
import { RelayError } from '../base/relay-error.ts';
import { keyFromFile, SecretBox } from '../base/secrets.ts';
import { observers } from '../log/context.ts';
import { defaultRetentionDays, retentionOf } from '../log/prune.ts';

import { adminTokenOf } from '../operate/page/admin-token.ts';
import { checkPublicUrl } from '../operate/page/public-url.ts';
import { checkProblemUrl } from '../operate/problem-url.ts';
import { logObserver } from '../operate/watch/log.ts';
import { Metrics } from '../operate/watch/metrics.ts';
import type { RelayOptions } from '../options.ts';
import { outboundOf } from '../outbound/agents.ts';
import { TargetRules } from '../outbound/targets.ts';
import { superviseEmbeddedPostgres } from './postgres/embedded.ts';

export type Resources = Awaited<ReturnType<typeof openResources>>;

/** What a relay holds until it is closed. Rejects with a RelayError for options that cannot work. */
export async function openResources(options: RelayOptions) {
  const { dataDir, databaseUrl, internal: { clock: kind, startAt } = {} } = options;
  const { rules, retentionMs } = checkOptions(options);
  const { metrics, observer, report } = observedBy(options);
  const clock = new ScheduledClock({
    isFrozen: kind === 'frozen',
    startAt: startAt === undefined ? undefined : new Date(startAt).getTime(),
  });
  const key =
    options.secretKey === undefined
      ? await keyFromFile(needed(dataDir, 'secretKey'))
      : { text: options.secretKey };
  const box = new SecretBox(key.text);
  const adminToken = await adminTokenOf(options);
  const postgres =
    databaseUrl === undefined
      ? await superviseEmbeddedPostgres(needed(dataDir, 'databaseUrl'), report)
      : undefined;
  const connectionString = databaseUrl ?? postgres?.connectionString ?? '';
  const databases = connectAll(connectionString, report);
  const notifier = new Notifier(databases.log.pool);
  const outbound = outboundOf(rules, options);
  return {
    newKeyFile: key.newFile,
    ...{ retentionMs, clock, box, adminToken, metrics, observer, report },
    ...{ connectionString, databases, notifier, outbound },
    async close() {
      clock.clear();
      await notifier.close();
      await outbound.destroy();
      // Kysely would leave a pool open that only this relay's own statements used.
      await Promise.all(Object.values(databases).map(({ pool }) => pool.end()));
      await postgres?.close();
    },
  };
}

function checkOptions({ allowTargets, databaseUrl, publicUrl, ...options }: RelayOptions) {
  const { problemUrl, retentionDays = defaultRetentionDays } = options;
  const rules = new TargetRules(allowTargets ?? []);
  if (databaseUrl !== undefined) readDatabaseUrl(databaseUrl);
  if (publicUrl !== undefined) checkPublicUrl(publicUrl);
  if (problemUrl !== undefined) checkProblemUrl(problemUrl, rules);
  return { rules, retentionMs: retentionOf(retentionDays) };
}

function observedBy({ log, onError }: RelayOptions) {
  const metrics = new Metrics();
  const observer = observers([metrics, ...(log ? [logObserver(log)] : [])]);
  const report = (error: unknown) => {
    observer.failed(error);
    onError?.(error);
  };
  return { metrics, observer, report };
}

function needed(dataDir: string | undefined, instead: string): string {
  if (dataDir !== undefined) return dataDir;
  throw new RelayError('configuration', `createRelay needs dataDir, or ${instead}.`);
}
