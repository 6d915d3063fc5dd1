import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

export const root = path.resolve(here, '../../..');
/** What these tests install or build; git ignores it. */
export const cache = path.join(root, '.cache');
/** The same for what several clones can share. */
export const userCache = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'screen-advertising-connectors',
);
export const nodePackage = path.join(root, 'packages/n8n-nodes-screen-advertising');
export const images = path.join(root, 'docs/images');
