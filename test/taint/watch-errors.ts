import type { Watch } from './watch.ts';

/**
 * From now on, the watch sees every error that is created, wherever that happens and wherever it
 * ends up.
 */
export function watchErrors(watch: Watch): void {
  globalThis.Error = new Proxy(Error, {
    construct(target, values, made) {
      const error = Reflect.construct(target, values, made) as Error;
      watch.error(error);
      return error;
    },
    apply(target, self, values) {
      const error = Reflect.apply(target, self, values) as Error;
      watch.error(error);
      return error;
    },
  });
}
