/** What was seen about one assumption. */
export interface Finding {
  /** `accepted`: another variant, with which everything works. */
  readonly state: 'as_assumed' | 'accepted' | 'differs' | 'not_seen';
  /** A short text without a person's data. */
  readonly found: string;
  /** What does not work, and what to do. */
  readonly action?: string;
}

export const asAssumed = (found: string): Finding => ({ state: 'as_assumed', found });
export const accepted = (found: string): Finding => ({ state: 'accepted', found });
export const notSeen = (found: string): Finding => ({ state: 'not_seen', found });
export const differs = (found: string, action: string): Finding => ({
  state: 'differs',
  found,
  action,
});

/** Ends a check early with its finding. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.found);
    this.finding = finding;
  }
}
