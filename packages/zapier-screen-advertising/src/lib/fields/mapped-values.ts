import { InputError, type InputIssue } from '@screen-advertising/core';
import { outsideText } from '@screen-advertising/core/platform';
import type { Bundle, PlainInputField } from 'zapier-platform-core';
import type { Step } from '../errors/error-message.ts';

/** Zapier removes it from addresses, and refuses some of it in a body. */
const placeholder = /\{\{[\s\S]*?\}\}/;

/** Text in two curly brackets, such as `{{contact.city}}`, which nothing filled in. */
export function placeholderIn(value: unknown): string | undefined {
  if (typeof value === 'string') return placeholder.exec(value)?.[0];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of [...Object.keys(value), ...Object.values(value)]) {
    const found = placeholderIn(inner);
    if (found) return found;
  }
  return undefined;
}

/**
 * Refuses values that another app or an earlier step left in a state that would change their
 * meaning on the way. Throws one InputError with every fault.
 */
export function checkMapped(
  { inputData, inputDataRaw }: Pick<Bundle, 'inputData' | 'inputDataRaw'>,
  { label, fields }: Step,
): void {
  const issues = fields.flatMap((field): InputIssue[] => {
    const { key } = field;
    const message =
      unfilled(inputData[key]) ?? severalNumbers(field, inputData[key], inputDataRaw?.[key]);
    return message ? [{ field: key, message }] : [];
  });
  if (issues.length > 0) throw new InputError(label, issues);
}

function unfilled(value: unknown): string | undefined {
  const found = placeholderIn(value);
  return (
    found &&
    `still has the placeholder ${outsideText(found, { maxLength: 60 })}, which nothing filled in: choose a field of an earlier step, or write the value`
  );
}

/** Zapier joins line items with commas, so `5,10` may be two numbers, or one that people write so. */
function severalNumbers(
  { type }: PlainInputField,
  value: unknown,
  raw: unknown,
): string | undefined {
  const isMapped = placeholderIn(raw) !== undefined;
  const isNumber = type === 'number' || type === 'integer';
  if (!isMapped || !isNumber || typeof value !== 'string') return undefined;
  return /^[\d.\s]+(,[\d.\s]*)+$/.test(value)
    ? `must be one number with a decimal point, such as 5.10, not "${outsideText(value, { maxLength: 60 })}": line items arrive with a comma between them`
    : undefined;
}
