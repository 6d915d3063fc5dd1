import { version } from '../client/version.ts';

/**
 * One value per process, also if it has this package twice, as with `import` beside `require` in one
 * bundle. Other versions have their own, and so have worker threads.
 */
export function oncePerProcess<Value>(name: string, value: Value): Value {
  const all = globalThis as Record<symbol, unknown>;
  const key = Symbol.for(`screen-advertising ${version} ${name}`);
  all[key] ??= value;
  return all[key] as Value;
}
