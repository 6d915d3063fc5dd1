import { writeAppFiles } from './app-files.ts';
import { bundle } from './bundle.ts';
import { variantNames } from './variants.ts';

for (const variant of variantNames) {
  await bundle(variant);
  await writeAppFiles(variant);
}
