import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appFolder, buildApp, variantNames } from './build-app.ts';
import { checkZip, install, zipApp } from './zip-app.ts';

const staging = await mkdtemp(join(tmpdir(), 'zapier-screen-advertising-'));
try {
  await install(join(staging, 'app'));
  for (const variant of variantNames) {
    await buildApp(variant);
    await zipApp(appFolder(variant), join(staging, 'app'));
    await checkZip(variant);
  }
} finally {
  await rm(staging, { recursive: true, force: true });
}
