/**
 * One value per process, also if it has this package twice, as with `import` beside `require` in one
 * bundle. Worker threads have their own.
 */
export function oncePerProcess<Value>(name: string, value: Value): Value {
  const all = globalThis as Record<symbol, unknown>;
  const key = Symbol.for(`screen-advertising ${name}`);
  all[key] ??= value;
  return all[key] as Value;
}
