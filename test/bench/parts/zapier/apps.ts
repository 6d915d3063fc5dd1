import { createRequire } from 'node:module';
import { siblingPath } from '../../lib/worker.ts';

/** Loaded by require, as Zapier loads an app. */
const load = createRequire(
  siblingPath(import.meta.url, '../../../../packages/zapier-screen-advertising/package.json'),
);

export interface ZapierApp {
  /** The definition, read from its file; undefined where there is none. */
  load(): object | undefined;
  /** The member of the definition that looks up a user. */
  readonly method: string;
}

export const apps: Readonly<Record<string, ZapierApp>> = {
  'zapier-platform-core alone': {
    load: () => {
      load('zapier-platform-core');
      return undefined;
    },
    method: '',
  },
  'small session app': {
    load: () => load(siblingPath(import.meta.url, 'session-app.cjs')) as object,
    method: 'searches.user.operation.perform',
  },
  'this app with bare z.request': {
    load: () => withBareSearch(load('./build/public/index.js')),
    method: 'searches.user.operation.perform',
  },
  'this app': {
    load: () => load('./build/public/index.js') as object,
    method: 'searches.find_user.operation.perform',
  },
};

/** The search of the small app in this one, whose definition Zapier copies for every event. */
function withBareSearch(app: { searches: object; beforeRequest?: unknown }): object {
  const { searches } = load(siblingPath(import.meta.url, 'session-app.cjs')) as {
    searches: object;
  };
  return { ...app, searches: { ...app.searches, ...searches } };
}

interface AppEvent {
  readonly command: 'execute';
  readonly method: string;
  readonly bundle: Readonly<Record<string, unknown>>;
}

export type Handler = (event: AppEvent) => Promise<{ results: unknown }>;

export function handlerOf(app: object): Handler {
  const { createAppHandler } = load('zapier-platform-core') as {
    createAppHandler(app: object): Handler;
  };
  return createAppHandler(app);
}
