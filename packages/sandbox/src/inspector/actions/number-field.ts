import { Refusal } from '../../http/refusal.ts';
import { given } from './action.ts';

/** The number in a field, undefined when it was left empty. */
export function numberField(form: URLSearchParams, name: string): number | undefined {
  const text = given(form, name);
  return text === undefined ? undefined : toNumber(name, text);
}

/** Throws a Refusal that names the field when the text is no number. */
export function toNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new Refusal(400, 'invalid-parameter', `${name} must be a number; ${text} is none.`);
}
