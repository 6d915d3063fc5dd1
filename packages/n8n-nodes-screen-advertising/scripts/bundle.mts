import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

export const packageFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

const core = '@screen-advertising/core';

/** Where people can read what is minified. */
const source =
	'https://github.com/screen-advertising/connectors/tree/main/shared, with zod and lean-qr';

/** Modules that load on first use. They load nothing on demand: that would defeat tree shaking. */
const onDemand = 'core.js';

/**
 * The package as n8n loads it: one CommonJS file per node and credential, and one with the core and
 * everything else that they import on demand. There is only one of those, so that all nodes share
 * one rate limit. n8n loads every node when it starts, and then needs only descriptions: the parts
 * that come from the catalogue are computed here. Names of functions and classes are kept, which
 * n8n shows in stack traces. Returns the text of each file by its path below `dist`.
 */
export async function bundlePackage(): Promise<Map<string, string>> {
	const demanded = new Set<string>();
	const entries = await Promise.all(
		(await entryPoints()).map((entry) =>
			bundle(`${entry}.js`, {
				entryPoints: [`${entry}.ts`],
				plugins: [
					finishedDescriptions,
					demand(path.posix.relative(path.posix.dirname(entry), onDemand), demanded),
				],
			}),
		),
	);
	const core = await bundle(onDemand, {
		plugins: [noDescriptions, nothingOnDemand],
		stdin: {
			contents: [...demanded]
				.sort()
				.map((file) => `export * from '${file}';`)
				.join('\n'),
			resolveDir: packageFolder,
		},
		// n8n forbids the name under which zod keeps its registry for other copies of itself:
		// the registry becomes private to the bundle.
		define: { globalThis: '__realm' },
		banner: { js: `// Source: ${source}\nconst __realm = {};` },
	});
	return new Map([core, ...entries]);
}

/** The files that package.json makes n8n load, without `dist/` and the extension. */
export async function entryPoints(): Promise<string[]> {
	const { n8n } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as {
		n8n: { credentials: string[]; nodes: string[] };
	};
	return [...n8n.credentials, ...n8n.nodes].map((file) => file.replace(/^dist\/|\.js$/g, ''));
}

async function bundle(file: string, options: BuildOptions): Promise<[string, string]> {
	const { outputFiles } = await build({
		absWorkingDir: packageFolder,
		bundle: true,
		write: false,
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		conditions: ['source', 'no-default-transport'],
		external: ['n8n-workflow'],
		// n8n loads CommonJS, so imports on demand must be CommonJS too.
		supported: { 'dynamic-import': false },
		legalComments: 'none',
		minify: true,
		logLevel: 'warning',
		...options,
	});
	return [file, outputFiles?.[0]?.text ?? ''];
}

/**
 * Leaves imports on demand to `file`, and records them. The files that n8n loads at its start hold
 * no core.
 */
function demand(file: string, demanded: Set<string>): Plugin {
	return {
		name: 'on-demand',
		setup(esbuild) {
			esbuild.onResolve({ filter: /^\./ }, ({ kind, path: imported, resolveDir }) => {
				if (kind !== 'dynamic-import') return undefined;
				demanded.add(`./${path.relative(packageFolder, path.join(resolveDir, imported))}`);
				return { path: file, external: true };
			});
			esbuild.onResolve({ filter: new RegExp(`^${core}(/|$)`) }, ({ importer }) => ({
				errors: [
					{ text: `${importer} takes the core along when n8n starts: import it on demand.` },
				],
			}));
		},
	};
}

/** The core, in this workspace and where a package manager installs it, and the fields of the node. */
const ofFields =
	/[\\/](?:shared[\\/]src|@screen-advertising[\\/]core|ScreenAdvertising[\\/]resources)[\\/].*\.[jt]s$/;

/**
 * Leaves descriptions of fields out: the finished descriptions hold them already, and running a
 * node reads none.
 */
const noDescriptions: Plugin = {
	name: 'no-descriptions',
	setup(esbuild) {
		// It is a member, or follows the title of a field of a record, with or without types.
		const description =
			/(?<=\bdescription:\s*|Output(?:<[^()]*>)?\(\s*['"][^'"]*['"],\s*)(['"])(?:\\.|(?!\1)[^\\\n])*\1/g;
		esbuild.onLoad({ filter: ofFields }, async (file) => {
			const text = await readFile(file.path, 'utf8');
			return { contents: text.replace(description, "''"), loader: 'ts' };
		});
	},
};

/** Refuses imports on demand between parts of the one file that loads on demand. */
const nothingOnDemand: Plugin = {
	name: 'nothing-on-demand',
	setup(esbuild) {
		esbuild.onResolve({ filter: /^\./ }, ({ kind, path: imported, importer }) => {
			if (kind !== 'dynamic-import') return undefined;
			const text = `${importer} imports ${imported} on demand, but is in the same file: import it at once.`;
			return { errors: [{ text }] };
		});
	},
};

const finishedDescriptions: Plugin = {
	name: 'finished-descriptions',
	setup(esbuild) {
		esbuild.onLoad({ filter: /\.description\.ts$/ }, async (file) => {
			const [, text] = await bundle('description.js', { entryPoints: [file.path] });
			const module = { exports: {} as Record<string, unknown> };
			new Function('module', 'require', text)(module, createRequire(import.meta.url));
			const contents = Object.entries(module.exports).map(
				([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
			);
			return { contents: withSharedTexts(contents.join('\n')), loader: 'js' };
		});
	},
};

/** Many operations have the same fields: a long text that they share stands once in the file. */
function withSharedTexts(contents: string): string {
	const names = new Map<string, string>();
	const seen = new Set<string>();
	const long = /"(?:\\.|[^"\\]){40,}"(?!:)/g;
	for (const [text] of contents.matchAll(long)) {
		if (seen.has(text) && !names.has(text)) names.set(text, `text${names.size}`);
		seen.add(text);
	}
	const texts = [...names].map(([text, name]) => `const ${name} = ${text};`);
	return `${texts.join('\n')}\n${contents.replace(long, (text) => names.get(text) ?? text)}`;
}
