import { isVariant, variantNames } from './build-app.ts';
import { buildZips, uploadZip } from './zip-app.ts';

/** Builds and checks one variant, and uploads it to the app that its folder is linked to. */
const [variant] = process.argv.slice(2);
if (!isVariant(variant)) {
  process.stderr.write(`Say which variant to upload: ${variantNames.join(' or ')}.\n`);
  process.exit(1);
}
await buildZips([variant]);
await uploadZip(variant);
