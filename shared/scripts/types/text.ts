import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const width = 100;

/** A docstring, on one line if it fits. */
export function docstring(text: string, indent = ''): string {
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= width + 1) return line;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || `${indent} * ${longer}`.length > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return [`${indent}/**`, ...lines.map((one) => `${indent} * ${one}`), `${indent} */\n`].join('\n');
}

export interface Member {
  readonly text: string;
  /** With a question mark if it is optional, such as `code?`. */
  readonly name: string;
  readonly type: string;
}

/** A member of an interface. */
export function member({ text, name, type }: Member): string {
  return `${docstring(text, '  ')}  ${name}: ${type};\n`;
}

/** An exported interface with its docstring. */
export function interfaceOf(name: string, text: string, members: readonly string[]): string {
  return `${docstring(text)}export interface ${name} {\n${members.join('')}}\n`;
}

/** The same as a type, whose members a program can go through with `Object.values`. */
export function aliasOf(name: string, text: string, members: readonly string[]): string {
  return `${docstring(text)}export type ${name} = {\n${members.join('')}};\n`;
}

/** Imports of those of these names that a text uses. */
export function importsFor(text: string, sources: Readonly<Record<string, readonly string[]>>) {
  const lines = Object.entries(sources).flatMap(([source, names]) => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    return used.length > 0 ? [`import type { ${used.join(', ')} } from '${source}';\n`] : [];
  });
  return lines.length > 0 ? `${lines.join('')}\n` : '';
}

/** `campaign_request.created` and `coupon` as names of types: `CampaignRequestCreated`, `Coupon`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[ ._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** `landingLinks` as the name of a file: `landing-links`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The files as biome formats them, which also sorts their imports. */
export function formatted(files: ReadonlyMap<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const args = ['check', '--write', '--vcs-enabled=false', `--config-path=${root}`, folder];
    execFileSync(process.execPath, [biome, ...args], { stdio: 'pipe' });
    const names = [...files.keys()];
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whole sentences, as docstrings have them. */
export function sentence(text: string): string {
  return /[.:]$/.test(text) ? text : `${text}.`;
}
