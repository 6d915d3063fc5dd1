import { type Definition, type PlacedPart, visiblePartsOf } from './definition.ts';
import type { Rule } from './rule.ts';

function hooksOf(definition: Definition): PlacedPart[] {
  return visiblePartsOf(definition).filter(({ operation }) => operation.type === 'hook');
}

function staticHooksOf(definition: Definition): PlacedPart[] {
  return hooksOf(definition).filter(
    ({ operation }) => !operation.performSubscribe || !operation.performUnsubscribe,
  );
}

export const hookRules: readonly Rule[] = [
  {
    code: 'D006',
    demand: 'A hook of a public app can list recent records.',
    check: ({ definition, isPublic }) =>
      (isPublic ? hooksOf(definition) : [])
        .filter(({ operation }) => !operation.performList)
        .map(({ place }) => place),
  },
  {
    code: 'D016',
    demand: 'An app is more than one hook without a subscription.',
    check: ({ definition }) => {
      const only =
        visiblePartsOf(definition).length === 1 && staticHooksOf(definition).length === 1;
      return only ? staticHooksOf(definition).map(({ place }) => place) : [];
    },
  },
  {
    code: 'D017',
    demand: 'A public app has no hooks without a subscription.',
    check: ({ definition, isPublic }) =>
      (isPublic ? staticHooksOf(definition) : []).map(({ place }) => place),
  },
];
