import type * as z from 'zod/mini';

/** Scope names a token can carry (section 5). */
export const scopes = [
  'screens:read',
  'coupons:write',
  'coupons:read',
  'users:read',
  'links:write',
  'campaign_requests:read',
] as const;

/** What an access may do, such as `coupons:write` (section 5). */
export type Scope = (typeof scopes)[number];

/** What an operation is about. */
export type Resource = 'screen' | 'coupon' | 'user' | 'landingLink' | 'campaignRequest';

/**
 * What the answer's body holds: one `record`, a list that always comes as a
 * `page` with a pagination object, or a `list` whose shape the contract leaves open.
 */
export type AnswerShape = 'record' | 'page' | 'list';

/**
 * How a lost answer can be repaired, that is when a request may or may not have been applied:
 * - `repeat`: sending it again does no harm.
 * - `by-code`: sending it again cannot create a second coupon. With a code of the caller's the
 *   service refuses it because the code is taken (4.5, rule 2), and the coupon can be read back.
 *   Without one it is created now, or refused because its lead has an active coupon (4.5, rule 3);
 *   see the assumption `lostCoupon`.
 * - `by-state`: sending it again changes nothing more; the record tells what happened.
 * - `none`: nobody can tell, so the error says so.
 */
export type Repair = 'repeat' | 'by-code' | 'by-state' | 'none';

/** What people can be offered to run, in the words of its forms: an operation, or several of them in one. */
export interface Task<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  /** `resource.action`, unique. */
  readonly name: Name;
  /** Short label in Title Case, as shown to people. */
  readonly title: string;
  /** One sentence: what it does, and what comes back. */
  readonly description: string;
  readonly resource: Resource;
  /** The token needs any one of these. */
  readonly scopes: readonly Scope[];
  /** Strict: unknown fields are refused before anything is sent. */
  readonly input: Input;
  /** What one record looks like; documentation and types only, answers are read tolerantly. */
  readonly output: Output;
}

/** One operation of the partner interface: all that a client, a form or a document needs to know. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Answer extends AnswerShape = AnswerShape,
> extends Task<Name, Input, Output> {
  /** Section of the partner interface specification. */
  readonly section: string;
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL; `{placeholders}` are input fields. */
  readonly path: string;
  readonly successStatus: 200 | 201;
  readonly answer: Answer;
  readonly repair: Repair;
  /** Largest page the service gives, for a list whose input has a `limit`. */
  readonly largestPage?: number;
}

/** Keeps the literal types of a task. */
export function task<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
>(definition: Task<Name, Input, Output>): Task<Name, Input, Output> {
  return definition;
}

/** Keeps the literal types of a catalogue entry. */
export function operation<
  const Name extends string,
  Input extends z.ZodMiniType,
  Output extends z.ZodMiniType,
  const Answer extends AnswerShape,
>(definition: Operation<Name, Input, Output, Answer>): Operation<Name, Input, Output, Answer> {
  return definition;
}
