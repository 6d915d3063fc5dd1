import type { Part } from './lib/section.ts';
import { respondToParent } from './lib/worker.ts';

/** Runs each part in a separate process, so what one part loads never slows another. */
const [name = ''] = process.argv.slice(2);

respondToParent(async (isShort: boolean) => {
  const { default: part }: { default: Part } = await import(`./parts/${name}/index.ts`);
  return part(isShort);
});
