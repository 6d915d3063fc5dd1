import { createServer } from 'node:net';
import { type Listening, listen } from '../../support/loopback.ts';
import type { Case } from './case.ts';

/** Serves each case at the address `/N`, its place in the list. */
export function caseServer(cases: readonly Case[]): Promise<Listening> {
  return listen(
    createServer((socket) => {
      let received = '';
      socket.on('data', (data) => {
        received += data.toString('latin1');
        const [, nth] = /^[A-Z]+ \/(\d+) .*?\r\n\r\n/s.exec(received) ?? [];
        if (nth === undefined) return;
        received = '';
        cases[Number(nth)]?.reply(socket);
      });
    }),
  );
}
