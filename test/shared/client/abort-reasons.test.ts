import { beforeAll, describe, expect, it } from '@jest/globals';
import { closeAfterFile } from '../../support/closing.ts';
import { cases, sampleOf } from '../../support/tier.ts';
import { moments, settle, startServers, take, transports } from './abort-moments.ts';

const failure = Object.assign(new Error('fetch failed'), { code: 'ECONNRESET' });

/** What a program may pass to `abort`. */
const reasons: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['false', false],
  ['true', true],
  ['0', 0],
  ['NaN', Number.NaN],
  ['a big integer', 10n],
  ['an empty text', ''],
  ['a text', 'the caller has left'],
  ['a symbol', Symbol('left')],
  ['a function', () => 'left'],
  ['a list', []],
  ['an object', {}],
  ['an object without prototype', Object.create(null)],
  ['a frozen object', Object.freeze({ why: 'left' })],
  ['an object with a code of Node.js', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['an object whose name is that of a failed fetch', { name: 'TypeError', message: 'x' }],
  ['a date', new Date(0)],
  ['an error', new Error('left')],
  ['an error with a code of Node.js', failure],
  ['an exception of the DOM', new DOMException('left', 'TimeoutError')],
];

const cells = Object.entries(moments).flatMap(([what, moment], first) =>
  Object.entries(transports).flatMap(([over, transport], second) =>
    // A sample has other reasons in each row.
    reasons.map((_, nth) => {
      const [why, reason] = reasons[(nth + first + second) % reasons.length] ?? [];
      return { what, moment, over, transport, why, reason };
    }),
  ),
);

// Jest's own `process` is a copy, which hears of nothing.
const program = process.getBuiltinModule('node:process');
const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  program.on(event, note);
  closeAfterFile(() => program.off(event, note));
}
beforeAll(startServers);

const table = cells.filter(({ moment, over }) => !moment.isQueue || over !== 'fetch');

describe('an abort', () => {
  it.each(sampleOf(table, cases(4 * table.length)))(
    'of $what over $over, with $why, is what the caller gets',
    async ({ moment, transport, reason }) => {
      const caller = new AbortController();
      const { signal } = caller;
      if (moment.isBefore) caller.abort(reason);
      const { outcome, sentSince } = await take(moment, { transport, signal, ended: [] });
      caller.abort(reason);
      expect(Object.is(await outcome, reason)).toBe(true);
      await settle();
      expect(sentSince()).toBe(0);
      expect(unhandled).toEqual([]);
    },
  );
});
