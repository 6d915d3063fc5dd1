import path from 'node:path';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

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

/**
 * Publishes as npm's trusted publisher, so without a token, and with the provenance that n8n asks
 * for. The job that may sign does nothing but publish.
 */
const workflow = `name: Publish
on:
  push:
    tags: ['v*']
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@pinned
        with:
          persist-credentials: false
      - uses: actions/setup-node@pinned
        with:
          node-version: 24
          package-manager-cache: false
      - run: npx -y pnpm@pinned install --frozen-lockfile --ignore-scripts
      - run: npx -y pnpm@pinned run lint
      - run: node scripts/build.mts
      - run: npx -y pnpm@pinned pack --pack-destination release
      - uses: actions/upload-artifact@pinned
        with:
          name: package
          path: release/*.tgz
          if-no-files-found: error
  publish:
    needs: build
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      id-token: write
    steps:
      - uses: actions/setup-node@pinned
        with:
          node-version: 24
          package-manager-cache: false
      - uses: actions/download-artifact@pinned
        with:
          name: package
      - run: for file in ./*.tgz; do npm publish "$file" --access public --provenance --ignore-scripts; done
`;

/**
 * The workflow of the public repository, with the versions that `release` pins: one place to
 * update.
 */
export function publicWorkflow(release: string): string {
	return workflow.replace(/([\w/-]+)@pinned/g, (_, name: string) => {
		const [pinned] = new RegExp(`${name}@\\S+(?: # v\\S+)?`).exec(release) ?? [];
		if (!pinned) throw new Error(`The release does not use ${name}, so it names no version of it.`);
		return pinned;
	});
}
