import type { Text } from './texts.ts';

/** Texts that still wait to be rewritten, by how their paths start. Ends up empty. */
export const later: Readonly<Record<Text['kind'], readonly string[]>> = {
  Markdown: [
    'packages/n8n-nodes-screen-advertising/README.md',
    'packages/relay/README.md',
    'packages/zapier-screen-advertising/README.md',
  ],
  help: [],
  string: [],
  comment: ['packages/', 'shared/', 'test/'],
  'test name': ['test/'],
};
