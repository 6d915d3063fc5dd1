// Hosts and guides name the image of this release.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const files = [
  'fly.toml',
  'render.yaml',
  'docs/relay-cluster/compose.yaml',
  'docs/relay-hosting.md',
  'docs/relay-hosting/compose.yaml',
];
for (const name of files) {
  const file = new URL(`../../../${name}`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const image = /(?<=ghcr\.io\/screen-advertising\/relay:)[\w.-]*\w/g;
  writeFileSync(file, text.replace(image, version));
}
