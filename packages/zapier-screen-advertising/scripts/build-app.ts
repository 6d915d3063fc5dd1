import { writeAppFiles } from './app-files.ts';
import { bundle } from './bundle.ts';
import type { Variant } from './variants.ts';

/** Builds the app in its folder: without the files beside it, Node.js would not load the bundle. */
export async function buildApp(variant: Variant): Promise<void> {
  await bundle(variant);
  await writeAppFiles(variant);
}
