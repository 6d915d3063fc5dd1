/** Derives the package.json of the public repository from the one in this workspace. */
export function publicManifest(
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
