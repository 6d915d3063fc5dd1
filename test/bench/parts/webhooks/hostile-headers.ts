import { signWebhook, verifySignature } from '@screen-advertising/core';
import { timeOf } from '../../lib/rounds.ts';

const body = Buffer.from('{"type":"campaign.paid"}');
const secret = 'a secret of the benchmark';
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
  const honest = await timeOf(checkOf(signWebhook({ body, secret, timestamp })));
  const ratios: number[] = [];
  for (const header of Object.values(hostileHeaders)) {
    ratios.push((await timeOf(checkOf(header))) / honest);
  }
  return Math.max(...ratios);
}

function checkOf(signature: string): () => void {
  return () => {
    try {
      verifySignature({ body, signature, secrets: [secret] });
    } catch {
      // All but the honest one are refused.
    }
  };
}
