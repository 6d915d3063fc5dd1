import { build } from 'esbuild';
import { appFolder, packageFolder, type Variant, variants } from './variants.ts';

/**
 * One file with the core inside, small and with the names of the sources, which Zapier's logs show.
 * zapier-platform-core stays outside: Zapier's own commands look for it among the dependencies.
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
    conditions: ['source', 'no-http'],
    external: ['zapier-platform-core'],
    legalComments: 'inline',
    minifySyntax: true,
    minifyWhitespace: true,
    // Zapier loads the app by require and takes the module for it.
    footer: { js: 'module.exports = module.exports.default;' },
    logLevel: 'warning',
  });
}
