import { createHmac } from 'node:crypto';
import { verifySignature } from '@screen-advertising/core';

/** It can be read in all four ways, so that every scheme is tried. */
const secret = `whsec_${'0badc0ffee15900d'.repeat(4)}`;
const body = Buffer.from(`{"type":"${'x'.repeat(256 * 1024 - 11)}"}`);
const floodMs = 3000;

/** Milliseconds of processor time: other work on the machine would let more searches through. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Forged bodies of 256 KiB as fast as they are refused: the time of each to that of one HMAC. */
export function forgedFlood(): number {
  const startedAt = Date.now() - cpuMs();
  const now = () => startedAt + cpuMs();
  const hmac = () => createHmac('sha256', secret).update(body).digest();
  return msOf(() => refuse(now), floodMs) / msOf(hmac, floodMs / 3);
}

function msOf(run: () => void, ms: number): number {
  const startedAt = cpuMs();
  let count = 0;
  while (cpuMs() - startedAt < ms) {
    run();
    count += 1;
  }
  return (cpuMs() - startedAt) / count;
}

function refuse(now: () => number): void {
  const signature = `t=${Math.floor(now() / 1000)},v1=${'0'.repeat(64)}`;
  try {
    verifySignature({ body, signature, secrets: [secret], now });
  } catch {
    // A forger does not know the secret.
  }
}
