import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

const core = '@screen-advertising/core';
const subpaths = ['availability', 'forms', 'platform', 'webhooks'];

/** The core shares limits among all that use one clock, so there must be one. */
const clock = 'nodes/ScreenAdvertising/shared/clock';

/**
 * The package as n8n loads it: one CommonJS file per node and credential, and beside them the one
 * copy of the core that they share, so that all of them keep one rate limit. n8n loads every node
 * when it starts, so what a description makes of the catalogue is worked out here, and the core
 * waits for its first use. Gives the text of each file by its path below `dist`.
 */
export async function bundlePackage(): Promise<Map<string, string>> {
	const entries = await entryPoints();
	const files = await Promise.all([
		bundle('core.js', {
			stdin: {
				contents: [core, ...subpaths.map((name) => `${core}/${name}`), `./${clock}`]
					.map((module) => `export * from '${module}';`)
					.join('\n'),
				resolveDir: root,
			},
			// n8n forbids the name under which zod keeps its registry for other copies of itself:
			// the registry becomes private to the bundle.
			define: { globalThis: '__realm' },
			banner: { js: 'const __realm = {};' },
		}),
		...entries.map((entry) =>
			bundle(`${entry}.js`, {
				entryPoints: [`${entry}.ts`],
				plugins: [
					sharedCore(path.posix.relative(path.posix.dirname(entry), 'core.js')),
					finishedDescriptions,
				],
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
		conditions: ['source', 'no-http'],
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
			esbuild.onResolve({ filter: new RegExp(`^${core}(?:/|$)|/clock$`) }, () => ({
				path: file,
				external: true,
			}));
		},
	};
}

const finishedDescriptions: Plugin = {
	name: 'finished-descriptions',
	setup(esbuild) {
		esbuild.onLoad({ filter: /[\\/]description\.ts$/ }, async (file) => {
			const [, text] = await bundle('description.js', { entryPoints: [file.path] });
			const module = { exports: {} as Record<string, unknown> };
			new Function('module', 'require', text)(module, createRequire(import.meta.url));
			const contents = Object.entries(module.exports).map(
				([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
			);
			return { contents: contents.join('\n'), loader: 'js' };
		});
	},
};
