import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };

export const packageFolder = fileURLToPath(new URL('..', import.meta.url));

/** The variants to build, by name: the file that each starts from. */
const variants = { private: 'src/index.ts', public: 'src/public.ts' } as const;

export type AppVariant = keyof typeof variants;

export const appVariantNames = Object.keys(variants) as AppVariant[];

export function isAppVariant(name: string | undefined): name is AppVariant {
  return name !== undefined && Object.hasOwn(variants, name);
}

/** The folder of a built app, from which Zapier's own commands run. */
export function appFolder(variant: AppVariant): string {
  return `${packageFolder}build/${variant}`;
}

const { name, version } = packageJson;

/** All that the app reads of its package.json. */
const onlyVersion: Plugin = {
  name: 'only-version',
  setup({ onLoad }) {
    const contents = JSON.stringify({ name, version });
    onLoad({ filter: /zapier-screen-advertising\/package\.json$/ }, () => ({
      contents,
      loader: 'json',
    }));
  },
};

/**
 * Bundles the app into one small file with the core inside. The source map beside it names the
 * places of a stack trace; it is not uploaded. zapier-platform-core stays outside: Zapier's own
 * commands look for it among the dependencies.
 */
async function bundle(variant: AppVariant): Promise<void> {
  await build({
    absWorkingDir: packageFolder,
    entryPoints: [variants[variant]],
    outfile: `${appFolder(variant)}/index.js`,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    conditions: ['source', 'no-default-transport'],
    external: ['zapier-platform-core'],
    legalComments: 'inline',
    minify: true,
    sourcemap: 'external',
    sourcesContent: false,
    plugins: [onlyVersion],
    // Zapier loads the app with require and treats the module itself as the app.
    footer: { js: 'module.exports = module.exports.default;' },
    logLevel: 'warning',
  });
}

/** Files that Zapier must not include in the source that it keeps. */
const ignored = ['node_modules/', 'build/', '*.map', '.env', '.zapierapprc'];

/** Builds the app in its folder, with the files that Node.js and Zapier's commands need. */
export async function buildApp(variant: AppVariant): Promise<void> {
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
