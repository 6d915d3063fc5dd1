import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

const core = '@screen-advertising/core';

/**
 * The package as n8n loads it: one CommonJS file per node and credential, and beside them the one
 * copy of the core that they share, so that all of them keep one rate limit. Gives the text of
 * each file by its path below `dist`.
 */
export async function bundlePackage(): Promise<Map<string, string>> {
	const entries = await entryPoints();
	const files = await Promise.all([
		bundle('core.js', {
			stdin: { contents: `export * from '${core}';`, resolveDir: root },
			// n8n forbids the name under which zod keeps its registry for other copies of itself:
			// the registry becomes private to the bundle.
			define: { globalThis: '__realm' },
			banner: { js: 'const __realm = {};' },
		}),
		...entries.map((entry) =>
			bundle(`${entry}.js`, {
				entryPoints: [`${entry}.ts`],
				plugins: [sharedCore(path.posix.relative(path.posix.dirname(entry), 'core.js'))],
			}),
		),
	]);
	return new Map(files);
}

/** What package.json tells n8n to load, without `dist/` and the extension. */
export async function entryPoints(): Promise<string[]> {
	const { n8n } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
		n8n: { credentials: string[]; nodes: string[] };
	};
	return [...n8n.credentials, ...n8n.nodes].map((file) => file.replace(/^dist\/|\.js$/g, ''));
}

async function bundle(file: string, options: BuildOptions): Promise<[string, string]> {
	const { outputFiles } = await build({
		absWorkingDir: root,
		bundle: true,
		write: false,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		conditions: ['source'],
		external: ['n8n-workflow'],
		legalComments: 'none',
		logLevel: 'warning',
		...options,
	});
	return [file, outputFiles?.[0]?.text ?? ''];
}

function sharedCore(file: string): Plugin {
	return {
		name: 'shared-core',
		setup(esbuild) {
			esbuild.onResolve({ filter: new RegExp(`^${core}$`) }, () => ({
				path: file,
				external: true,
			}));
		},
	};
}
