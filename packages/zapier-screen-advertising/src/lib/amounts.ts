import { operations } from '@screen-advertising/core';
import type { Task } from '@screen-advertising/core/availability';

const cents = /_cents$/;

/** The name of an amount in currency units: `price_per_day` for `price_per_day_cents`. */
export function amountName(name: string): string | undefined {
  return cents.test(name) ? name.replace(cents, '') : undefined;
}

/**
 * A record with each of its amounts in currency units, too: people write no cents into an e-mail,
 * and a Zap would need another step to reckon. What the service sends itself stays as it is.
 */
export function withAmounts<Record extends object>(record: Record): Record {
  const amounts = Object.entries(record).flatMap(([name, value]) => {
    const amount = amountName(name);
    return amount && typeof value === 'number' ? [[amount, value / 100] as const] : [];
  });
  return { ...Object.fromEntries(amounts), ...record };
}

/** The sample of a task whose records hold the screen they are about. */
export function sampleWithScreen({ sample }: Task): Task['sample'] {
  return { ...withAmounts(sample), screen: withAmounts(operations['screen.get'].sample) };
}
