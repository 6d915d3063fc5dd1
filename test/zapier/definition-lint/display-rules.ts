import { type Kind, visiblePartsOf } from './definition.ts';
import type { Rule } from './rule.ts';
import { isTitleCase } from './title-case.ts';

/** Zapier lists descriptions below one another, so all of a kind read alike. */
const descriptions: Record<Kind, RegExp> = {
  triggers: /^Triggers when .+\.$/,
  creates: /^[A-Z][a-z]+s .+\.$/,
  searches: /^Finds .+\.$/,
};

export const displayRules: readonly Rule[] = [
  {
    code: 'D018',
    demand: 'Labels are in Title Case.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter(({ display }) => !isTitleCase(display.label))
        .map(({ place }) => place),
  },
  {
    code: 'D021',
    demand: 'Descriptions are sentences of the form that Zapier asks for.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter(({ kind, display }) => !descriptions[kind].test(display.description))
        .map(({ place }) => place),
  },
];
