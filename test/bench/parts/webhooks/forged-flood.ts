import { createHmac } from 'node:crypto';
import { verifySignature } from '@screen-advertising/core';
import { timeOf } from '../../lib/rounds.ts';

const secret = 'a secret of the benchmark';
const body = Buffer.from(`{"type":"${'x'.repeat(256 * 1024 - 11)}"}`);
const floodMs = 3000;

/** Forged bodies of 256 KiB as fast as they are refused: the time of each to that of one HMAC. */
export async function forgedFlood(): Promise<number> {
  const one = await timeOf(() => createHmac('sha256', secret).update(body).digest());
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < floodMs) {
    refuse();
    count += 1;
  }
  const eachMs = (performance.now() - startedAt) / count;
  return (eachMs * 1e6) / one;
}

function refuse(): void {
  const signature = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
  try {
    verifySignature({ body, signature, secrets: [secret] });
  } catch {
    // A forger does not know the secret.
  }
}
