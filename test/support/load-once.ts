import { createRequire } from 'node:module';

/** The key under which jest.environment.ts stores Node's own `createRequire`. */
export const bypassKey = Symbol.for('screen-advertising.create-require');

const { [bypassKey]: create = createRequire } = globalThis as {
  [bypassKey]?: (from: string) => NodeJS.Require;
};
const load = create(import.meta.url);

/** Loads a module, by its path from here, as Node does. A worker keeps it for all its tests. */
export function loadOnce<Module>(path: string): Module {
  return load(path) as Module;
}
