import type { Subject } from './definition.ts';

/** One of the checks that Zapier runs before an app may be published. */
export interface Rule {
  /** Zapier's own number where it has one. */
  readonly code: string;
  /** What the rule requires. */
  readonly demand: string;
  /** The places that break it. */
  readonly check: (subject: Subject) => string[];
}
