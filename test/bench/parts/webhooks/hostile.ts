import { createHmac } from 'node:crypto';
import { signWebhook, verifySignature } from '@screen-advertising/core';
import { timeOf } from '../../lib/rounds.ts';

const plain = { body: Buffer.from('{"type":"campaign.paid"}'), secrets: ['a secret'] };
const timestamp = Math.floor(Date.now() / 1000);
const v1 = `,v1=${'0'.repeat(64)}`;

/** Made to cost the receiver more than the sender. */
const hostileHeaders: Readonly<Record<string, string>> = {
  'a header of 1 MB': `t=${timestamp},v1=${'a'.repeat(1_000_000)}`,
  'a header of 1 MB of commas': ','.repeat(1_000_000),
  'a header of 1 MB of white space': `t=${timestamp}${' '.repeat(1_000_000)},v1=00`,
  '10,000 signatures': `t=${timestamp}${v1.repeat(10_000)}`,
  '10,000 timestamps': `t=${timestamp},`.repeat(10_000),
  'as many digits as fit': `t=${'1'.repeat(4000)},v1=00`,
  'as many signatures as fit': `t=${timestamp}${v1.repeat(58)}`,
};

/** The slowest hostile header, as many times as long as the check of an honest one. */
export async function slowestHostileHeader(): Promise<number> {
  const timeOfHeader = (signature: string) => timeOf(() => check({ ...plain, signature }));
  const [secret = ''] = plain.secrets;
  const honest = await timeOfHeader(signWebhook({ body: plain.body, secret, timestamp }));
  const ratios: number[] = [];
  for (const header of Object.values(hostileHeaders)) {
    ratios.push((await timeOfHeader(header)) / honest);
  }
  return Math.max(...ratios);
}

/** It can be read in all four ways, so that every scheme is tried. */
const flooded = `whsec_${'0badc0ffee15900d'.repeat(4)}`;
const largeBody = Buffer.from(`{"type":"${'x'.repeat(256 * 1024 - 11)}"}`);
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
  const hmac = () => createHmac('sha256', flooded).update(largeBody).digest();
  const forge = () => {
    const signature = `t=${Math.floor(now() / 1000)},v1=${'0'.repeat(64)}`;
    check({ body: largeBody, signature, secrets: [flooded], now });
  };
  return msOf(forge, floodMs) / msOf(hmac, floodMs / 3);
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

function check(delivery: Parameters<typeof verifySignature>[0]): void {
  try {
    verifySignature(delivery);
  } catch {
    // All but the honest one are refused.
  }
}
