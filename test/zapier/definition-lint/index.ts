import { connectionRules } from './connection-rules.ts';
import type { Subject } from './definition.ts';
import { displayRules } from './display-rules.ts';
import { fieldRules } from './field-rules.ts';
import { hookRules } from './hook-rules.ts';
import { listingRules } from './listing-rules.ts';
import { platformRules } from './platform-rules.ts';
import type { Rule } from './rule.ts';
import { sampleRules } from './sample-rules.ts';
import { textRules } from './text-rules.ts';
import { wordingRules } from './wording-rules.ts';

export type { Subject } from './definition.ts';

export const rules: readonly Rule[] = [
  ...connectionRules,
  ...fieldRules,
  ...displayRules,
  ...textRules,
  ...sampleRules,
  ...hookRules,
  ...platformRules,
  ...listingRules,
  ...wordingRules,
];

export interface Finding {
  readonly code: string;
  readonly place: string;
  readonly demand: string;
}

/** What Zapier's reviewers would ask to change; their own checks run only with an account. */
export function lintDefinition(subject: Subject): Finding[] {
  return rules.flatMap(({ code, demand, check }) =>
    check(subject).map((place) => ({ code, place, demand })),
  );
}
