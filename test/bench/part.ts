import type { Part, PartOptions } from './lib/section.ts';
import { answerParent } from './lib/worker.ts';

/** One part in a process of its own: nothing that it loads slows another one down. */
const [name = ''] = process.argv.slice(2);

answerParent(async (options: PartOptions) => {
  const { default: part }: { default: Part } = await import(`./parts/${name}/index.ts`);
  return part(options);
});
