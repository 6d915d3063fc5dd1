import { inputFieldsOf, type PlacedPart, visiblePartsOf } from './definition.ts';
import type { Rule } from './rule.ts';

/** Places whose text appears in another place too. */
function alike(texts: readonly (readonly [place: string, text: string])[]): string[] {
  return texts
    .filter(([place, text]) => texts.some(([other, same]) => other !== place && same === text))
    .map(([place]) => place);
}

const unitOf = (key: string): string | undefined =>
  /_(cents|pct)$/.exec(key)?.[1]?.replace('pct', 'percent');

function labelled(part: PlacedPart): { place: string; key: string; label: string }[] {
  const output = (part.operation.outputFields ?? []).map(({ key, label = '' }) => ({
    place: `${part.place}.${key}`,
    key,
    label,
  }));
  const input = inputFieldsOf(part).map(({ place, key, label = '' }) => ({ place, key, label }));
  return [...input, ...output];
}

export const wordingRules: readonly Rule[] = [
  {
    code: 'find',
    demand: 'The label of a search starts with Find.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter(({ kind, display }) => kind === 'searches' && !display.label.startsWith('Find '))
        .map(({ place }) => place),
  },
  {
    code: 'noun',
    demand: 'A noun is a thing, and not what happens to it.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter(({ noun }) => /\b(\w+ed|Paid|New)\b/.test(noun))
        .map(({ place }) => place),
  },
  {
    code: 'alike',
    demand: 'No two triggers, actions or searches are called or described alike.',
    check: ({ definition }) => {
      const parts = visiblePartsOf(definition);
      return [
        ...alike(parts.map(({ place, display }) => [place, display.description])),
        ...alike(parts.map(({ place, display }) => [place, display.label])),
      ];
    },
  },
  {
    code: 'output',
    demand: 'No two fields of a result have the same label.',
    check: ({ definition }) =>
      visiblePartsOf(definition).flatMap((part) =>
        alike(
          (part.operation.outputFields ?? []).map(({ key, label = '' }) => [
            `${part.place}.${key}`,
            label,
          ]),
        ),
      ),
  },
  {
    code: 'unit',
    demand: 'The label of an amount or a share names its unit.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .flatMap(labelled)
        .filter(({ key, label }) => !label.toLowerCase().includes(unitOf(key) ?? ''))
        .map(({ place }) => place),
  },
  {
    code: 'undo',
    demand: 'An action that takes something away says that it cannot be undone.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter(
          ({ key, display }) =>
            /^(revoke|delete|remove|cancel)_/.test(key) &&
            !display.description.includes('cannot be undone'),
        )
        .map(({ place }) => place),
  },
];
