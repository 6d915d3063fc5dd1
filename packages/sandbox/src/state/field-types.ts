import * as z from 'zod';
import { isClockMoment } from '../moments.ts';

/** A lone surrogate is not valid text: a URL that contains it cannot be written. */
export const text = z
  .string()
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
export const filled = text.min(1, 'must not be empty');
export const moment = z.iso.datetime('must be a timestamp such as 2027-03-31T23:59:59Z');
/** A moment that the sandbox acts on, so its clock must be able to reach it. */
export const clockMoment = moment.refine((value) => {
  const at = Date.parse(value);
  return Number.isNaN(at) || isClockMoment(at);
}, 'must be between the years 1970 and 5000');
/** Larger positions do not fit into a cursor. */
const largestNumber = 10 ** 14;
export const count = z.int().min(0).max(largestNumber);
export const percent = z.number().min(0).max(100);

/** The address of a webhook. Node decodes username and password before it sends them. */
export const webhookUrl = text.superRefine((url, { addIssue }) => {
  const refuse = (message: string) => addIssue({ code: 'custom', message });
  const address = URL.parse(url);
  if (!address || !['http:', 'https:'].includes(address.protocol)) {
    refuse('must be an http or https address such as http://127.0.0.1:5678/webhook/demo');
  } else if (!canBeDecoded(address.username) || !canBeDecoded(address.password)) {
    refuse('must be an address that writes a percent sign in its username or password as %25');
  }
});

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
