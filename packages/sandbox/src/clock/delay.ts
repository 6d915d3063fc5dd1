import { setTimeout } from 'node:timers/promises';

/**
 * Waits in real time, whatever the sandbox clock does. For delays on the wire. Ends early on abort.
 */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
