/**
 * Verifies the package as n8n does, offline: its scanner over the sources and over the
 * built files. And the same for the descriptions: they are built from the catalogue, so the rules
 * for parameters see them only when they are written out as literals.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	buildScanConfig,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';
import { format } from 'prettier';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const load = createRequire(import.meta.url);

/**
 * Lints as n8n's scanner does, without inline disables, and prints what it found. Gives the number
 * of problems, warnings included.
 */
async function lintWithScanner(cwd, patterns, isJudged = () => true) {
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

async function writeLiterals(folder) {
	const { n8n } = load('../package.json');
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const [className, kind] = path.basename(file).split('.');
		const { description, name, displayName, icon, documentationUrl, properties } = new (load(
			path.join(root, file),
		)[className])();
		const literal = (value) => JSON.stringify(value);
		const members =
			kind === 'node'
				? `description: INodeTypeDescription = ${literal(description)};`
				: `name = ${literal(name)}; displayName = ${literal(displayName)}; icon: Icon = ${literal(icon)};
					documentationUrl = ${literal(documentationUrl)}; properties: INodeProperties[] = ${literal(properties)};`;
		const interfaceName = kind === 'node' ? 'INodeType' : 'ICredentialType';
		const target = path.join(folder, file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(
			target,
			await format(`export class ${className} implements ${interfaceName} { ${members} }`, {
				parser: 'typescript',
				quoteProps: 'as-needed',
				singleQuote: true,
			}),
		);
	}
	await cp(path.join(root, 'icons'), path.join(folder, 'icons'), { recursive: true });
	await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
}

const literals = await mkdtemp(path.join(tmpdir(), 'n8n-descriptions-'));
try {
	await writeLiterals(literals);
	const problems =
		// The scanner itself looks for sources in the two folders that n8n's starter has.
		(await lintWithScanner(root, [...SOURCE_FILE_PATTERNS, 'lib/**/*.ts'])) +
		(await lintWithScanner(root, ['dist/**/*.js', 'package.json'])) +
		(await lintWithScanner(literals, ['**/*.ts'], (rule) => rule.startsWith('n8n-nodes-base/')));
	process.exitCode = problems === 0 ? 0 : 1;
} finally {
	await rm(literals, { recursive: true, force: true });
}
