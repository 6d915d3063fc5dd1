import { environment } from '../../packages/relay/src/cli/environment.ts';
import { read } from '../structure/project.ts';

export const relayReadme = 'packages/relay/README.md';

const rows = /(?<=^\| Variable \| What it does \|\n\|---\|---\|\n)(?:\|.*\n)+/m;

/** The README of the relay with the settings from its help. */
export function relayReadmePage(): string {
  const lines = Object.entries(environment).map(([name, does]) => `| \`${name}\` | ${does} |\n`);
  return read(relayReadme).replace(rows, () => lines.join(''));
}
