/** Something that the contract leaves open ("not shown"). */
export interface Assumption {
  /** Section of the partner interface specification. */
  readonly section: string;
  readonly question: string;
  readonly assumed: string;
  readonly why: string;
  /** Variants that clients understand without a setting; the first is the assumed one. */
  readonly accepted: readonly [string, ...string[]];
  /** Where a user changes it when the service turns out to differ. */
  readonly change: string;
}
