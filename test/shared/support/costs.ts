import { ScreenAdvertisingError } from '@screen-advertising/core';

export interface Costs {
  /** Texts that were parsed as URLs. */
  readonly urls: string[];
  /** Messages of the errors that were built, each with its stack. */
  readonly errors: string[];
}

/** What is parsed and built during the work. */
export async function costsOf(work: () => unknown): Promise<Costs> {
  const urls: string[] = [];
  const errors: string[] = [];
  const real = { URL, Error };
  const { abort } = AbortController.prototype;
  const counted = {
    URL: new Proxy(URL, {
      construct(target, [url, base]) {
        urls.push(String(url));
        return new target(url, base);
      },
      get(target, name) {
        if (name !== 'canParse' && name !== 'parse') return Reflect.get(target, name);
        return (url: string, base?: string) => {
          urls.push(url);
          return target[name](url, base);
        };
      },
    }),
    Error: new Proxy(Error, {
      construct(target, values, maker) {
        errors.push(String(values[0]));
        return Reflect.construct(target, values, maker);
      },
    }),
  };
  Object.assign(globalThis, counted);
  Object.setPrototypeOf(ScreenAdvertisingError, counted.Error);
  AbortController.prototype.abort = function (this: AbortController, reason?: unknown) {
    // Without a reason, it builds an AbortError.
    if (reason === undefined) errors.push('abort');
    abort.call(this, reason);
  };
  try {
    await work();
  } finally {
    Object.assign(globalThis, real);
    Object.setPrototypeOf(ScreenAdvertisingError, real.Error);
    AbortController.prototype.abort = abort;
  }
  return { urls, errors };
}
