import { assumptionsPage } from './assumptions-page.ts';
import { eventGuide, n8nReadme, relayReadme, zapierReadme } from './readmes.ts';

type Write = (path: string) => string | Promise<string>;

/** Files that the script "docs" writes from sources alone, and how. */
export const written: readonly (readonly [path: string, write: Write])[] = [
  ['docs/assumptions.md', assumptionsPage],
  ['docs/receive-events.md', eventGuide],
  ['packages/n8n-nodes-screen-advertising/README.md', n8nReadme],
  ['packages/zapier-screen-advertising/README.md', zapierReadme],
  ['packages/relay/README.md', relayReadme],
];
