import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { closeAfterFile } from './closing.ts';

let count = 0;
let sent = 0;

const channel = 'http.client.request.start';

function note(message: unknown): void {
  const { request } = message as { request: ClientRequest };
  count += 1;
  sent += 1;
  request.once('close', () => {
    count -= 1;
  });
}

subscribe(channel, note);
// A worker has one channel for all of its test files, each with its own copy of this module.
closeAfterFile(() => unsubscribe(channel, note));

/** Requests that this process has sent through `node:http` and whose response is incomplete. */
export function requestsInFlight(): number {
  return count;
}

/** Requests that this process has ever sent through `node:http`. */
export function requestsSent(): number {
  return sent;
}

/** After this many turns of the event loop without a change, no more work is expected. */
const quietTurns = 20;

/** Waits, without a sleep, until the result of `look` stops changing. */
export async function settled(look: () => unknown): Promise<void> {
  let before = look();
  for (let quiet = 0; quiet < quietTurns; ) {
    await nextTurn();
    const now = look();
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}
