import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

/**
 * Lints as n8n's scanner does, without inline disables, and prints what it found. Gives the number
 * of problems, warnings included.
 */
export async function lintWithScanner(cwd, patterns, isJudged = () => true) {
	const eslint = new ESLint({
		cwd,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	const results = await eslint.lintFiles(patterns);
	for (const result of results) {
		result.messages = result.messages.filter(({ ruleId }) => isJudged(ruleId ?? ''));
		result.errorCount = result.messages.filter(({ severity }) => severity === 2).length;
		result.warningCount = result.messages.length - result.errorCount;
	}
	const { format } = await eslint.loadFormatter('stylish');
	process.stdout.write(await format(results));
	const problems = results.reduce((sum, { messages }) => sum + messages.length, 0);
	process.stdout.write(
		`${results.length} files, ${problems} errors and warnings: ${patterns.join(', ')}\n`,
	);
	return problems;
}
