import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publicWorkflow } from './public-workflow.mts';

const root = path.join(import.meta.dirname, '..');

const copied = [
	'CHANGELOG.md',
	'LICENSE',
	'README.md',
	'credentials',
	'eslint.config.mjs',
	'examples',
	'icons',
	'lib',
	'nodes',
	'.prettierignore',
	'.prettierrc.js',
	'scripts/build.mts',
	'scripts/bundle.mts',
];

const ignored = 'node_modules/\ndist/\n';

/**
 * Writes the repository from which n8n verifies the package: n8n accepts no package from a
 * monorepo, and npm's provenance names the repository that built it.
 */
export async function writePublicRepository(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const name of copied) {
		await rm(path.join(folder, name), { recursive: true, force: true });
		await cp(path.join(root, name), path.join(folder, name), { recursive: true });
	}
	const read = async (file: string) =>
		JSON.parse(await readFile(path.join(root, file), 'utf8')) as Record<string, unknown>;
	const manifest = publicManifest(
		await read('package.json'),
		String((await read('../../shared/package.json')).version),
	);
	const { paths: _, ...compilerOptions } = (await read('tsconfig.json'))
		.compilerOptions as object & {
		paths: unknown;
	};
	const tsconfig = { compilerOptions, include: ['credentials', 'lib', 'nodes'] };
	const write = async (file: string, text: string) => {
		await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
		await writeFile(path.join(folder, file), text);
	};
	await write('package.json', `${JSON.stringify(manifest, undefined, '\t')}\n`);
	await write('tsconfig.json', `${JSON.stringify(tsconfig, undefined, '\t')}\n`);
	await write('.gitignore', ignored);
	const release = path.join(root, '../../.github/workflows/release.yml');
	await write('.github/workflows/publish.yml', publicWorkflow(await readFile(release, 'utf8')));
}

/** Derives the package.json of the public repository from the one in this workspace. */
function publicManifest(
	manifest: Readonly<Record<string, unknown>>,
	coreVersion: string,
): Record<string, unknown> {
	const { private: _, devDependencies, scripts: _s, ...rest } = manifest;
	const {
		'@n8n/scan-community-package': _n,
		'@screen-advertising/core': _c,
		...tools
	} = devDependencies as Record<string, string>;
	return {
		...rest,
		scripts: {
			build: 'node scripts/build.mts',
			lint: 'n8n-node lint',
			prepublishOnly: 'npm run build',
		},
		// These are bundled: n8n installs no dependencies of a community node.
		devDependencies: { ...tools, '@screen-advertising/core': coreVersion },
	};
}
