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
const maxNumber = 10 ** 14;
export const count = z.int().min(0).max(maxNumber);
export const percent = z.number().min(0).max(100);

/** The address of a webhook. */
export const webhookUrl = text
  .refine((url) => ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''), {
    error: 'must be an http or https address such as http://127.0.0.1:5678/webhook/demo',
    abort: true,
  })
  .refine(
    canBeSent,
    'must be an address that writes a percent sign in its username or password as %25',
  );

/** Node decodes username and password before it sends them. */
function canBeSent(url: string): boolean {
  const { username, password } = new URL(url);
  try {
    return decodeURIComponent(`${username}:${password}`) !== '';
  } catch {
    return false;
  }
}
