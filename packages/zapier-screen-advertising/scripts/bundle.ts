import { build, type Plugin } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import { appFolder, packageFolder, type Variant, variants } from './variants.ts';

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
 * Bundles the app into one small file with the core inside. It keeps the names of functions and
 * classes, which Zapier's logs show. zapier-platform-core stays outside: Zapier's own commands look
 * for it among the dependencies.
 */
export async function bundle(variant: Variant): Promise<void> {
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
    keepNames: true,
    plugins: [onlyVersion],
    // Zapier loads the app with require and treats the module itself as the app.
    footer: { js: 'module.exports = module.exports.default;' },
    logLevel: 'warning',
  });
}
