import { createSandbox } from '@screen-advertising/sandbox';
import { emptyProject } from '../../empty-project.ts';
import { shareOf } from '../../share.ts';
import type { Tarball } from '../../tarball.ts';
import { bundles } from './bundles.ts';
import type { Service } from './consumer.ts';
import { lawConsumers } from './law.ts';
import { runtimes, testRunners } from './runtimes.ts';
import { types } from './types.ts';

/**
 * Uses the packed core with every runtime, module system, compiler and tool that its README names:
 * real processes that call a sandbox. Yields the name of each consumer that works.
 */
export async function* tryCore(
  folder: string,
  core: Tarball,
  others: readonly Tarball[],
): AsyncGenerator<string> {
  const law = lawConsumers(core);
  const all = { ...runtimes, ...bundles, ...testRunners, ...types, ...law };
  const waiting = [...shareOf(Object.entries(all))];
  // Installed once, for all consumers.
  const packages = [
    ...waiting.flatMap(([, { packages }]) => packages),
    'undici@8.12.4',
    '@types/node@24.19.2',
  ];
  const project = await emptyProject(folder, 'core-consumer', [
    ...[core, ...others].map(({ file }) => file),
    ...new Set(packages),
  ]);
  const sandbox = createSandbox();
  try {
    const { baseUrl } = await sandbox.listen();
    const [access] = sandbox.accesses;
    if (!access) throw new Error('The sandbox has no access.');
    const service: Service = { baseUrl, key: access.apiKey, secret: access.signingSecret };
    const worked: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [name, { use }] = next;
        await use(project, service);
        worked.push(name);
      }
    };
    await Promise.all([work(), work()]);
    yield* worked;
  } finally {
    await sandbox.close();
  }
}
