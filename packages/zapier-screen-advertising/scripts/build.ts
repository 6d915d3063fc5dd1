import { appVariantNames, buildApp, isAppVariant } from './build-app.ts';
import { buildZips, uploadZip } from './zip-app.ts';

/**
 * Without a word it builds both variants, with `zip` their zips too. `upload VARIANT` builds and
 * checks one of them, and uploads it to the app that its folder is linked to.
 */
const [word, variant] = process.argv.slice(2);
if (word === undefined) for (const name of appVariantNames) await buildApp(name);
else if (word === 'zip') await buildZips(appVariantNames);
else if (word === 'upload' && isAppVariant(variant)) {
  await buildZips([variant]);
  await uploadZip(variant);
} else {
  process.stderr.write(`Say which variant to upload: ${appVariantNames.join(' or ')}.\n`);
  process.exit(1);
}
