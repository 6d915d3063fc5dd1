import { createRequire } from 'node:module';
import { siblingPath } from '../../lib/worker.ts';

/** Loaded by require, as Zapier loads an app. */
const load = createRequire(
  siblingPath(import.meta.url, '../../../../packages/zapier-screen-advertising/package.json'),
);

/** The definition of each, read from its file; undefined where there is none. */
export const apps: Readonly<Record<string, () => object | undefined>> = {
  'zapier-platform-core alone': () => {
    load('zapier-platform-core');
    return undefined;
  },
  'small session app': () => load(siblingPath(import.meta.url, 'session-app.cjs')) as object,
  'this app': () => load('./build/public/index.js') as object,
};

export function prepare(app: object): void {
  const { createAppHandler } = load('zapier-platform-core') as {
    createAppHandler(app: object): unknown;
  };
  createAppHandler(app);
}
