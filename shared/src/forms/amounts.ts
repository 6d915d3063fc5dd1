import type { FormField } from '../catalogue/fields.ts';

type Shown = Partial<Pick<FormField, 'title' | 'description' | 'example'>>;

/** What forms say of fields whose numbers people write in currency units. */
const inUnits: Readonly<Record<string, Shown>> = {
  budget_cents: {
    title: 'Budget per Screen in Currency Units',
    description:
      'Only screens that cost at most this much for the whole period, in currency units such as 150 or 12.50. Applies to each screen separately.',
    example: '4000',
  },
  discount_value: {
    description:
      'The size of the discount, greater than 0. Percent: at most 100. Amount: in currency units, such as 12.50. Free days: a whole number.',
  },
};

/** The field as a form shows it: people think in currency units. */
export function inCurrencyUnits(field: FormField): FormField {
  return { ...field, ...inUnits[field.name] };
}

/** Whether the service takes this field in cents, by what the other fields say. */
export function isInCents(
  name: string,
  { discount_type }: Readonly<Record<string, unknown>>,
): boolean {
  return name.endsWith('_cents') || (name === 'discount_value' && discount_type === 'amount_cents');
}

/** With one or two decimals: three would be thousands to half of the world. */
const amount = /^\+?(\d+)(?:[.,](\d{1,2}))?$/;

/** The cents of an amount in currency units, exactly. Undefined for anything else. */
export function centsOf(entered: string | number): number | undefined {
  const [, whole, fraction = ''] = amount.exec(String(entered)) ?? [];
  if (whole === undefined) return undefined;
  const cents = Number(whole + fraction.padEnd(2, '0'));
  return cents > 0 && Number.isSafeInteger(cents) ? cents : undefined;
}
