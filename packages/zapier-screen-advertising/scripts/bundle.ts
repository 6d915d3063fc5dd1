import { build } from 'esbuild';
import { appFolder, packageFolder, type Variant, variants } from './variants.ts';

/**
 * Bundles the app into one small file with the core inside. It keeps the names of the sources,
 * which Zapier's logs show. zapier-platform-core stays outside: Zapier's own commands look for it
 * among the dependencies.
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
    minifySyntax: true,
    minifyWhitespace: true,
    // Zapier loads the app with require and treats the module itself as the app.
    footer: { js: 'module.exports = module.exports.default;' },
    logLevel: 'warning',
  });
}
