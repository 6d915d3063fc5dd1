import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import packageJson from '../package.json' with { type: 'json' };
import { bundle } from './bundle.ts';
import { appFolder, packageFolder, type Variant } from './variants.ts';

/** Files that Zapier must not include in the source that it keeps. */
const ignored = ['node_modules/', 'build/', '.env', '.zapierapprc'];

/** Builds the app in its folder, with the files that Node.js and Zapier's commands need. */
export async function buildApp(variant: Variant): Promise<void> {
  await bundle(variant);
  const folder = appFolder(variant);
  const { name, version, description, license, dependencies } = packageJson;
  const about = { name, version, description, license };
  const manifest = { ...about, private: true, main: 'index.js', dependencies };
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(`${folder}/.gitignore`, `${ignored.join('\n')}\n`);
  await copyFile(`${packageFolder}LICENSE`, `${folder}/LICENSE`);
  // Their text is in the bundle, and their licenses ask for this.
  for (const bundled of ['zod', 'lean-qr']) {
    const its = `${packageFolder}../../shared/node_modules/${bundled}/LICENSE`;
    await copyFile(its, `${folder}/LICENSE-${bundled}.txt`);
  }
}
