import { operations } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import type { PlainOutputField } from 'zapier-platform-core';

const cents = /_cents$/;

/** The name of an amount in currency units: `price_per_day` for `price_per_day_cents`. */
function nameWithoutCents(name: string): string | undefined {
  return cents.test(name) ? name.replace(cents, '') : undefined;
}

/**
 * Adds each amount in currency units to a record: emails do not quote prices in cents, and a Zap
 * would need another step to convert them. The fields of the service stay as they are.
 */
export function withAmounts<Record extends object>(record: Record): Record {
  const amounts = Object.entries(record).flatMap(([name, value]) => {
    const amount = nameWithoutCents(name);
    return amount && typeof value === 'number' ? [[amount, value / 100] as const] : [];
  });
  return { ...Object.fromEntries(amounts), ...record };
}

/** Its field. The currency is unknown: the units are whatever the cents are hundredths of. */
export function amountField(name: string, title: string): PlainOutputField[] {
  const key = nameWithoutCents(name);
  return key ? [{ key, label: `${title} in Currency Units`, type: 'number' }] : [];
}

/** The sample of a task whose records contain the screen they describe. */
export function sampleWithScreen({ sample }: CatalogueEntry): CatalogueEntry['sample'] {
  return { ...withAmounts(sample), screen: withAmounts(operations['screen.get'].sample) };
}
