import type { Store } from '../state/store.ts';

/** Without the letters and digits that people mix up. */
const characters = [...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'] as [string, ...string[]];

/** A code in the pattern BVCC-XXXX that no coupon has yet. */
export function makeCode({ random, coupons }: Store): string {
  for (;;) {
    const code = `BVCC-${Array.from({ length: 4 }, () => random.pick(characters)).join('')}`;
    if (!coupons.has(code)) return code;
  }
}
