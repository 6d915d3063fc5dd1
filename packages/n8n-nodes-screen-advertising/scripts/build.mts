/** Writes the package that n8n loads to dist. */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { bundlePackage, entryPoints, packageFolder } from './bundle.mts';

const dist = path.join(packageFolder, 'dist');

// The core's own copies, wherever the package manager put them.
const { resolve } = createRequire(import.meta.resolve('@screen-advertising/core'));

await rm(dist, { recursive: true, force: true });
for (const [file, text] of await bundlePackage()) {
	await mkdir(path.join(dist, path.dirname(file)), { recursive: true });
	await writeFile(path.join(dist, file), text);
}
// Their text is in core.js, and their licenses ask for this.
for (const name of ['zod', 'lean-qr']) {
	await cp(
		path.join(path.dirname(resolve(name)), 'LICENSE'),
		path.join(dist, `LICENSE-${name}.txt`),
	);
}
await cp(path.join(packageFolder, 'icons'), path.join(dist, 'icons'), { recursive: true });
for (const entry of await entryPoints()) {
	if (entry.endsWith('.node')) {
		await cp(path.join(packageFolder, `${entry}.json`), path.join(dist, `${entry}.json`));
		const schemas = path.join(path.dirname(entry), '__schema__');
		await cp(path.join(packageFolder, schemas), path.join(dist, schemas), { recursive: true });
	}
}
