import { respondToParent } from '../../lib/worker.ts';
import { apps, prepare } from './apps.ts';

/** Milliseconds of the processor from nothing to an app that can take its first event. */
const [name = ''] = process.argv.slice(2);

respondToParent(async () => {
  const before = process.cpuUsage();
  const app = apps[name]?.();
  if (app) prepare(app);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
});
