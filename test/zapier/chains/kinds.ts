import type { InputField, OutputField, PlacedPart } from '../definition-lint/definition.ts';

/** A field of a step. */
interface Place<Field> {
  readonly part: PlacedPart;
  readonly field: Field;
}

export type Output = Place<OutputField>;
export type Input = Place<InputField>;

/** What values mean, by the names of fields that do not say it. */
const meanings: Readonly<Record<string, string>> = {
  budget_cents: 'amount',
  radius_km: 'kilometers',
  distance_km: 'kilometers',
  next_days: 'days',
  screenId: 'screen',
  screen_id: 'screen',
  valid_until: 'date',
  from: 'date',
  to: 'date',
};

const lastOf = (key: string): string => key.split('__').at(-1) ?? key;

const meaningOf = (name: string): string => {
  if (meanings[name]) return meanings[name];
  if (name.endsWith('_pct')) return 'share';
  return name.endsWith('email') ? 'email' : name;
};

/** What the value of an output field means. */
export function outputMeaning({ part, field }: Output): string {
  const { noun, operation } = part;
  const name = lastOf(field.key);
  const isAmount = operation.outputFields?.some(({ key }) => key === `${field.key}_cents`);
  if (isAmount && name !== 'discount_value') return 'amount';
  if (field.type === 'datetime') return 'date';
  if (name !== 'id') return meaningOf(name);
  const isOfEvent = operation.type === 'hook' && field.key === 'id';
  return isOfEvent || /Availability|^Relay$/.test(noun) ? `ID of ${part.place}` : noun;
}

/** What an input field takes: one meaning, but a discount may be an amount, a share or days. */
function inputMeanings({ part, field: { key } }: Input): string[] {
  if (key === 'discount_value') return ['discount_value', 'amount', 'share', 'days'];
  return [key === 'id' ? part.noun : key === 'screenId' ? 'Screen' : meaningOf(key)];
}

/** Why two fields that look alike are not to be mapped into each other; undefined for all others. */
export function whyLeftOut(output: Output, input: Input): string | undefined {
  const name = lastOf(output.field.key);
  const takes = inputMeanings(input);
  if (name.endsWith('_cents') && takes.includes('amount')) {
    return 'its label says cents, and the field beside it has the unit of forms';
  }
  if (/^(latitude|longitude)$/.test(name) && input.field.key === 'near') {
    return 'a place takes both numbers';
  }
  if (name === 'qr_code' && takes.includes(name)) return 'one is the file, the other its format';
  if (name === 'status' && takes.includes('status') && output.part.noun === 'Coupon') {
    return 'a coupon has other statuses than a campaign request';
  }
  return undefined;
}

export const isAlike = (output: Output, input: Input): boolean => {
  const meaning = outputMeaning(output);
  return inputMeanings(input).includes(meaning === 'screen' ? 'Screen' : meaning);
};
