import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  appFolder,
  buildApp,
} from '../../../../packages/zapier-screen-advertising/scripts/build-app.ts';
import { install, zipApp } from '../../../../packages/zapier-screen-advertising/scripts/zip-app.ts';
import { siblingPath } from '../../lib/worker.ts';

/** Builds what is uploaded of this app and of the small one; its last line are their bytes. */
const folder = await mkdtemp(path.join(tmpdir(), 'zapier-zips-'));
try {
  const ours = path.join(folder, 'ours');
  const small = path.join(folder, 'small');
  const staging = path.join(folder, 'staging');
  await buildApp('public');
  for (const app of [ours, small]) await cp(appFolder('public'), app, { recursive: true });
  await cp(siblingPath(import.meta.url, 'session-app.cjs'), path.join(small, 'index.js'));
  await install(staging);
  const bytesOf = async (app: string) => {
    await zipApp(app, staging);
    return (await stat(path.join(app, 'build/build.zip'))).size;
  };
  const bytes = { ours: await bytesOf(ours), small: await bytesOf(small) };
  process.stdout.write(`\n${JSON.stringify(bytes)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
