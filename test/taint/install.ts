import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, expect } from '@jest/globals';
import { watch } from './watch.ts';

const levels = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

watchErrors();
watchOutput();
watchPlatforms();

const noSecret = (): void => expect(watch.take()).toEqual([]);

afterEach(noSecret);
afterAll(noSecret);

/**
 * From now on, the watch sees every error that is created, wherever that happens and wherever it
 * ends up.
 */
function watchErrors(): void {
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

/** From now on, the watch sees printed output, through the console or directly. */
function watchOutput(): void {
  const { console: output } = globalThis;
  for (const level of levels) {
    const print = output[level];
    output[level] = (...values: unknown[]) => {
      watch.data(`console.${level}`, values);
      print.call(output, ...values);
    };
  }
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write;
    stream.write = function (this: typeof stream, ...values: Parameters<typeof write>) {
      watch.data('a stream of the process', String(values[0]));
      return write.apply(this, values);
    } as typeof write;
  }
}

/** From now on, the watch sees what the engines of n8n and Zapier show and store. */
function watchPlatforms(): void {
  const seen = {
    'test:shown': (message: unknown) => watch.data(...placed(message)),
    'test:failed': (message: unknown) => watch.failure(...placed(message)),
  };
  for (const [channel, see] of Object.entries(seen)) {
    subscribe(channel, see);
    // A worker has one channel for all of its test files.
    afterAll(() => {
      unsubscribe(channel, see);
    });
  }
}

function placed(message: unknown): [where: string, value: unknown] {
  const { where, value } = message as { where: string; value: unknown };
  return [where, value];
}
