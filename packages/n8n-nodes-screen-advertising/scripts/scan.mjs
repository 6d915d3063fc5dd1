/**
 * What n8n's verification does with a package, offline: its scanner over the sources and over the
 * built files, neither with inline disables. Warnings count as errors here.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { buildPackage } from './build.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

await buildPackage();
const eslint = new ESLint({
	cwd: root,
	allowInlineConfig: false,
	overrideConfigFile: true,
	overrideConfig: await buildScanConfig(),
});
let problems = 0;
for (const patterns of [SOURCE_FILE_PATTERNS, ['dist/**/*.js', 'package.json']]) {
	const results = await eslint.lintFiles(patterns);
	problems += results.reduce(
		(sum, { errorCount, warningCount }) => sum + errorCount + warningCount,
		0,
	);
	const formatter = await eslint.loadFormatter('stylish');
	process.stdout.write(await formatter.format(results));
	process.stdout.write(`Scanned ${results.length} files (${patterns.join(', ')}).\n`);
}
process.stdout.write(problems === 0 ? 'No errors, no warnings.\n' : `${problems} problems.\n`);
process.exitCode = problems === 0 ? 0 : 1;
