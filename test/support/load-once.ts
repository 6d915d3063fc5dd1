import { createRequire } from 'node:module';

/** Where jest.environment.ts leaves Node's own `createRequire`. */
export const wayPast = Symbol.for('screen-advertising.create-require');

const { [wayPast]: create = createRequire } = globalThis as {
  [wayPast]?: (from: string) => NodeJS.Require;
};
const load = create(import.meta.url);

/** Loads a module, by its path from here, as Node does: a worker keeps it for all its test files. */
export function loadOnce<Module>(path: string): Module {
  return load(path) as Module;
}
