/** What was seen about one assumption. */
export interface Finding {
  /** `accepted`: another variant, with which everything works. */
  readonly state: 'as_assumed' | 'accepted' | 'differs' | 'not_seen';
  /** A short text without a person's data. */
  readonly found: string;
  /** What does not work, and what to do, if it is not what usually follows from the difference. */
  readonly action?: string;
}

/** As assumed, another variant that works, or a difference that breaks something. */
export function judge(found: string, isAssumed: boolean, isAccepted = true): Finding {
  const other = isAccepted ? 'accepted' : 'differs';
  return { state: isAssumed ? 'as_assumed' : other, found };
}

export const differs = (found: string, action: string): Finding => ({
  state: 'differs',
  found,
  action,
});
export const notSeen = (found: string): Finding => ({ state: 'not_seen', found });

/** Ends a check early with its finding. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.found);
    this.finding = finding;
  }
}
