import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

let count = 0;

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  count += 1;
  request.once('close', () => {
    count -= 1;
  });
});

/** Requests that this process has sent through `node:http`, and whose answer is not complete. */
export function requestsUnderWay(): number {
  return count;
}

/** So many turns of the event loop without a change: nobody is about to do anything. */
const quietTurns = 20;

/** Waits, without a sleep, until what `look` sees has stood still for a while. */
export async function standsStill(look: () => unknown): Promise<void> {
  let before = look();
  for (let quiet = 0; quiet < quietTurns; ) {
    await nextTurn();
    const now = look();
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}
