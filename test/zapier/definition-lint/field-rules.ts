import {
  type Definition,
  type InputField,
  inputFieldsOf,
  type PlacedPart,
  partsOf,
  visiblePartsOf,
} from './definition.ts';
import type { Rule } from './rule.ts';
import { isTitleCase } from './title-case.ts';

const idName = /(^|_)id$|Id$/;

type PlacedField = InputField & { place: string };

function fieldsOf(definition: Definition): PlacedField[] {
  return visiblePartsOf(definition).flatMap(inputFieldsOf);
}

function places(fields: PlacedField[]): string[] {
  return fields.map(({ place }) => place);
}

/** `screen_list.id.name` names a trigger and two fields of its result. */
function hasTarget(definition: Definition, dynamic: string): boolean {
  const [key = '', ...names] = dynamic.split('.');
  const given = definition.triggers[key]?.operation.outputFields?.map((field) => field.key) ?? [];
  return names.length > 0 && names.every((name) => given.includes(name));
}

/**
 * A search finds records, not the values that their fields may have. It cannot be asked to find the
 * very thing it is searching for.
 */
function lacksSearch(definition: Definition, part: PlacedPart, field: PlacedField): boolean {
  if (!field.dynamic || part.kind === 'triggers') return false;
  if (field.search) return false;
  const nounOfList = definition.triggers[field.dynamic.split('.')[0] ?? '']?.noun;
  const isFound = visiblePartsOf(definition).some(
    ({ kind, noun }) => kind === 'searches' && noun === nounOfList,
  );
  return isFound && part.noun !== nounOfList;
}

/** Words that add nothing to a label. */
const empty = /^(the|a|an|in|of|with|this|your|enter|only|choose|screens?|requests?)$/;

function repeatsLabel({ label = '', helpText }: InputField, noun: string): boolean {
  if (helpText === undefined) return false;
  const known = `${label} ${noun}`.toLowerCase().split(' ');
  const said = helpText.toLowerCase().match(/[a-z]+/g) ?? [];
  return said.every((word) => empty.test(word) || known.includes(word));
}

export const fieldRules: readonly Rule[] = [
  {
    code: 'D004',
    demand: 'A field that takes an identifier offers a dropdown.',
    check: ({ definition }) =>
      places(
        fieldsOf(definition).filter(
          ({ key, dynamic, choices }) => idName.test(key) && !dynamic && !choices,
        ),
      ),
  },
  {
    code: 'D005',
    demand: 'The trigger behind a dropdown exists and gives the fields that are shown.',
    check: ({ definition }) =>
      places(
        fieldsOf(definition).filter(({ dynamic }) => dynamic && !hasTarget(definition, dynamic)),
      ),
  },
  {
    code: 'D009',
    demand: 'A search has a field to search by.',
    check: ({ definition }) =>
      visiblePartsOf(definition)
        .filter((part) => part.kind === 'searches' && inputFieldsOf(part).length === 0)
        .map(({ place }) => place),
  },
  {
    code: 'D013',
    demand: 'The search that fills a field exists.',
    check: ({ definition }) =>
      places(
        fieldsOf(definition).filter(
          ({ search }) => search && !((search.split('.')[0] ?? '') in definition.searches),
        ),
      ),
  },
  {
    code: 'D014',
    demand: 'A field that a search fills holds one text or number.',
    check: ({ definition }) =>
      places(
        fieldsOf(definition).filter(
          ({ search, type = 'string', list, dict, children }) =>
            search && (list || dict || children || !['string', 'number', 'integer'].includes(type)),
        ),
      ),
  },
  {
    code: 'D015',
    demand: 'A search or create is made of ones that exist.',
    check: ({ definition }) =>
      Object.entries(definition.searchOrCreates ?? {})
        .filter(
          ([, { search, create }]) =>
            !(search in definition.searches && create in definition.creates),
        )
        .map(([key]) => `searchOrCreates.${key}`),
  },
  {
    code: 'search',
    demand: 'A dropdown of an action can also be filled by a search.',
    check: ({ definition }) =>
      visiblePartsOf(definition).flatMap((part) =>
        places(inputFieldsOf(part).filter((field) => lacksSearch(definition, part, field))),
      ),
  },
  {
    code: 'D011',
    demand: 'A help text says more than the label.',
    check: ({ definition }) =>
      visiblePartsOf(definition).flatMap((part) =>
        places(inputFieldsOf(part).filter((field) => repeatsLabel(field, part.noun))),
      ),
  },
  {
    code: 'D022',
    demand: 'A create has at least one field that is always there.',
    check: ({ definition }) =>
      partsOf(definition)
        .filter((part) => part.kind === 'creates' && inputFieldsOf(part).length === 0)
        .map(({ place }) => place),
  },
  {
    code: 'label',
    demand: 'A field has a label in Title Case that speaks of the thing, not of its ID.',
    check: ({ definition }) =>
      places(
        fieldsOf(definition).filter(
          ({ label }) => !label || !isTitleCase(label) || /\bid$/i.test(label),
        ),
      ),
  },
];
