/** Something the contract leaves open. */
export interface Assumption {
  /** Section of the partner interface specification. */
  readonly section: string;
  readonly question: string;
  readonly assumed: string;
  readonly why: string;
  /** Variants that clients understand without a setting; the first is the assumed one. */
  readonly accepted: readonly [string, ...string[]];
  /** Whether clients work with every likely variant, so that nothing breaks before it is known. */
  readonly allAccepted: boolean;
  /** What finds out: a command of the command line, or only the service's team. */
  readonly answeredBy: 'doctor' | 'doctor --write' | 'explain-delivery' | 'team';
  /** What clients do, or a user can do, when the service differs. */
  readonly change: string;
}

/** The published declarations name variants and who finds out, and leave out the texts. */
export interface PublishedAssumption<Accepted, AnsweredBy> extends Assumption {
  readonly accepted: Accepted & Assumption['accepted'];
  readonly answeredBy: AnsweredBy & Assumption['answeredBy'];
}

export function defineAssumption<
  const Accepted extends Assumption['accepted'],
  const AnsweredBy extends Assumption['answeredBy'],
>(
  assumption: Assumption & { readonly accepted: Accepted; readonly answeredBy: AnsweredBy },
): PublishedAssumption<Accepted, AnsweredBy> {
  return assumption;
}
