import { join } from 'node:path';
import { ScheduledClock } from '@screen-advertising/server-kit';
import { openAllPools, readDatabaseUrl, SenderNotifier } from '../base/database.ts';
import { RelayError } from '../base/relay-error.ts';
import { adminTokenFromFile, keyFromFile, SecretBox } from '../base/secrets.ts';
import { combineObservers } from '../log/context.ts';
import { defaultRetentionDays, retentionInMs } from '../log/prune.ts';
import { logObserver } from '../operate/log.ts';
import { Metrics } from '../operate/metrics.ts';
import { checkProblemUrl } from '../operate/problems.ts';
import { openSubscriberConnections } from '../outbound/agents.ts';
import { TargetRules } from '../outbound/targets.ts';
import { superviseEmbeddedPostgres } from './postgres/embedded.ts';
import type { RelayOptions } from './relay.ts';

export type Resources = Awaited<ReturnType<typeof openResources>>;

/** Opens what a relay holds until it is closed. Rejects with a RelayError for options that cannot work. */
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
  const databases = openAllPools(connectionString, report);
  const notifier = new SenderNotifier(databases.log.pool);
  const outbound = openSubscriberConnections(rules, options);
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
  return { rules, retentionMs: retentionInMs(retentionDays) };
}

function observedBy({ log, onError }: RelayOptions) {
  const metrics = new Metrics();
  const observer = combineObservers([metrics, ...(log ? [logObserver(log)] : [])]);
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

/** Too long to guess, so that guesses need no limit, which others could use up. */
const shortest = 24;

/** The given token, else the one in the data folder, if the relay uses one. */
export async function adminTokenOf({
  adminToken,
  dataDir,
  databaseUrl,
  secretKey,
}: RelayOptions): Promise<string | undefined> {
  if (adminToken !== undefined) return longEnough(adminToken, 'RELAY_ADMIN_TOKEN', '');
  const usesDataDir = databaseUrl === undefined || secretKey === undefined;
  if (dataDir === undefined || !usesDataDir) return undefined;
  const path = join(dataDir, 'admin.token');
  const whatElse = ', or delete the file, and the next start writes a new one';
  return longEnough(await adminTokenFromFile(dataDir), `The token in ${path}`, whatElse);
}

function longEnough(token: string, name: string, whatElse: string): string {
  if (token.length >= shortest) return token;
  throw new RelayError(
    'configuration',
    `${name} must have at least ${shortest} characters, because it opens the operator's page. Generate one with \`openssl rand -base64 32\`${whatElse}.`,
  );
}

/** Why links under this address would be broken; undefined if they work. */
export function publicUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    // Without the text: before a colon, a credential may look like a scheme.
    return 'PUBLIC_URL must be an address such as https://relay.example.com.';
  }
  const part =
    ((url.username !== '' || url.password !== '') && 'the username and password') ||
    (text.includes('?') && 'the part after "?"') ||
    (text.includes('#') && 'the part after "#"');
  return part
    ? `PUBLIC_URL must be an address such as https://relay.example.com. Leave out ${part}.`
    : undefined;
}

function checkPublicUrl(text: string): void {
  const fault = publicUrlFault(text);
  if (fault !== undefined) throw new RelayError('configuration', fault);
}
