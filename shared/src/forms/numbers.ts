import type { FormField } from '../catalogue/fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A decimal point, or a comma where it cannot separate thousands. */
const number = /^[+-]?(\d+\.?\d*|\.\d+|\d+,\d{1,2})$/;
const whole = /^[+-]?\d+(\.0*)?$/;

/** Whether the number counts things. */
export function isCount({ name, type }: FormField, { discount_type }: Fields): boolean {
  return type === 'integer' || (name === 'discount_value' && discount_type === 'free_days');
}

/** Whether the number is a share of 100, which people write with a percent sign. */
function isPercent({ name }: FormField, { discount_type }: Fields): boolean {
  return name.endsWith('_pct') || (name === 'discount_value' && discount_type === 'percent');
}

/** A number as people write it, such as `12.5` or `12,5`. Undefined for anything else. */
export function numberOf(text: string, field: FormField, others: Fields): number | undefined {
  const digits = isPercent(field, others) ? text.replace(/\s*%$/, '') : text;
  if (!(isCount(field, others) ? whole : number).test(digits)) return undefined;
  return Number(digits.replace(',', '.'));
}
