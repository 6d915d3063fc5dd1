import type { Watch } from './watch.ts';

const levels = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** From now on, the watch sees printed output, through the console or directly. */
export function watchOutput(watch: Watch): void {
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
