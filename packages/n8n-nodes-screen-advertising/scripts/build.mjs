/**
 * Builds dist as n8n loads it: one CommonJS file per node and credential, and beside them the one
 * copy of the core that they share, so that all of them keep one rate limit.
 *
 * n8n forbids the name `globalThis`, under which zod keeps its registry for other copies of
 * itself. The registry becomes private to the bundle.
 */
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const core = '@screen-advertising/core';

/** Everything that n8n is told of in package.json, as built files. */
async function entryPoints() {
	const { n8n } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
	return [...n8n.credentials, ...n8n.nodes].map((file) =>
		file.replace(/^dist\//, '').replace(/\.js$/, ''),
	);
}

export async function buildPackage(outdir = path.join(root, 'dist')) {
	await rm(outdir, { recursive: true, force: true });
	const entries = await entryPoints();
	const shared = {
		absWorkingDir: root,
		bundle: true,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		conditions: ['source'],
		external: ['n8n-workflow'],
		legalComments: 'none',
		logLevel: 'warning',
	};
	await build({
		...shared,
		stdin: { contents: `export * from '${core}';`, resolveDir: root },
		outfile: path.join(outdir, 'core.js'),
		define: { globalThis: '__realm' },
		banner: { js: 'const __realm = {};' },
	});
	for (const entry of entries) {
		await build({
			...shared,
			entryPoints: [`${entry}.ts`],
			outfile: path.join(outdir, `${entry}.js`),
			plugins: [sharedCore(path.posix.relative(path.posix.dirname(entry), 'core.js'))],
		});
	}
	await cp(path.join(root, 'icons'), path.join(outdir, 'icons'), { recursive: true });
	for (const entry of entries.filter((name) => name.endsWith('.node'))) {
		await cp(path.join(root, `${entry}.json`), path.join(outdir, `${entry}.json`));
	}
}

function sharedCore(file) {
	return {
		name: 'shared-core',
		setup(esbuild) {
			esbuild.onResolve({ filter: new RegExp(`^${core}$`) }, () => ({
				path: file.startsWith('.') ? file : `./${file}`,
				external: true,
			}));
		},
	};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage();
