import { respondToParent } from '../../lib/worker.ts';
import { apps, handlerOf } from './apps.ts';

/** Runs one search many times, ten at once; microseconds of the processor for one. */
const [name = ''] = process.argv.slice(2);
const app = apps[name];
const definition = app?.load();
if (!app || !definition) throw new Error(`There is no app ${name}.`);
const handle = handlerOf(definition);

respondToParent(async ({ port, count }: { port: number; count: number }) => {
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
    for (let index = 0; index < count / 10; index += 1) await handle(event);
  };
  await Promise.all(Array.from({ length: 10 }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
});
