import { respondToParent } from '../../lib/worker.ts';
import { apps, type Handler, handlerOf } from './apps.ts';

/** Searches to make, or none to start only. */
export interface Task {
  readonly port: number;
  readonly count: number;
}

const [name = ''] = process.argv.slice(2);
const app = apps[name];
if (!app) throw new Error(`There is no app ${name}.`);
let handle: Handler | undefined;

/**
 * The first task starts the app: milliseconds of the processor from nothing until it can take its
 * first event. Then searches, ten at once: microseconds of the processor for one.
 */
respondToParent(async ({ port, count }: Task) => {
  const beforeStart = process.cpuUsage();
  const definition = handle ? undefined : app.load();
  if (definition) handle = handlerOf(definition);
  if (count === 0) return cpuSince(beforeStart) / 1000;
  const event = {
    command: 'execute',
    method: app.method,
    calledFromCli: true,
    bundle: {
      inputData: { email: 'lead@example.com' },
      meta: {},
      authData: {
        base_url: `http://127.0.0.1:${port}/api/v1`,
        client_id: 'client',
        client_secret: 'secret',
        access_token: 'token',
        expires_at: String(Date.now() + 3_600_000),
      },
    },
  } as const;
  const before = process.cpuUsage();
  const work = async () => {
    for (let index = 0; index < count / 10; index += 1) await handle?.(event);
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return cpuSince(before) / count;
});

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
