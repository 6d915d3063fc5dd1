import {
  type Definition,
  type InputField,
  inputFieldsOf,
  type Kind,
  type PlacedPart,
  partsOf,
  type Subject,
  visiblePartsOf,
} from './definition.ts';
import { isOfType, isoWithZone, keysOf, sampleOf, wrongFields } from './samples.ts';
import { isTitleCase } from './title-case.ts';

/** Names the places that break a check. */
type Check = (subject: Subject) => string[];

interface Placed {
  readonly place: string;
}

const where = <One extends Placed>(all: readonly One[], isWrong: (one: One) => unknown): string[] =>
  all.filter(isWrong).map(({ place }) => place);

const fieldsOf = (definition: Definition) => visiblePartsOf(definition).flatMap(inputFieldsOf);

/** Checks every visible step. */
const steps =
  (isWrong: (part: PlacedPart) => unknown): Check =>
  ({ definition }) =>
    where(visiblePartsOf(definition), isWrong);

/** Checks every field of every visible form. */
const fields =
  (isWrong: (field: InputField & Placed, definition: Definition) => unknown): Check =>
  ({ definition }) =>
    where(fieldsOf(definition), (field) => isWrong(field, definition));

/** Checks every text that a person reads. */
const texts =
  (isWrong: (text: string) => boolean): Check =>
  ({ definition }) => {
    const ofParts = partsOf(definition).flatMap((part) => [
      { place: part.place, text: part.display.description },
      { place: part.place, text: part.display.directions ?? '' },
      ...inputFieldsOf(part).map(({ place, helpText }) => ({ place, text: helpText ?? '' })),
    ]);
    const ofConnection = definition.authentication.fields.map(({ key, helpText }) => {
      return { place: `authentication.${key}`, text: helpText ?? '' };
    });
    return where([...ofParts, ...ofConnection], ({ text }) => isWrong(text));
  };

const secretName = /api_?key|token|secret|password/i;
const helpPage = /\]\(https:\/\/github\.com\/screen-advertising\/\S+\)/;
const idName = /(^|_)id$|Id$/;

/** `screen_list.id.name` names a trigger and two fields of its result. */
function hasTarget(definition: Definition, dynamic: string): boolean {
  const [key = '', ...names] = dynamic.split('.');
  const given = definition.triggers[key]?.operation.outputFields?.map((field) => field.key) ?? [];
  return names.length > 0 && names.every((name) => given.includes(name));
}

/** A search finds records, not values of their fields, and not what it is searching for. */
function lacksSearch(definition: Definition, part: PlacedPart, field: InputField): boolean {
  if (!field.dynamic || part.kind === 'triggers' || field.search) return false;
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

function hasBrokenMarkdown(text: string): boolean {
  const withoutLinks = text.replace(/\[[^\]]+\]\([^)\s]+\)/g, '');
  return /<\/?[a-z]|\]\(|\bhttps?:\/\//i.test(
    withoutLinks.replace(/https:\/\/\S+\.example\S*/g, ''),
  );
}

/** Zapier lists descriptions below one another, so all of a kind read alike. */
const descriptions: Record<Kind, RegExp> = {
  triggers: /^Triggers when .+\.$/,
  creates: /^[A-Z][a-z]+s .+\.$/,
  searches: /^Finds .+\.$/,
};

const lacksSubscription = ({ operation: one }: PlacedPart) =>
  one.type === 'hook' && !(one.performSubscribe && one.performUnsubscribe);

/** Places whose text appears in another place too. */
function alike(all: readonly (Placed & { readonly text: string })[]): string[] {
  return where(all, (one) =>
    all.some(({ place, text }) => place !== one.place && text === one.text),
  );
}

const outputOf = (part: PlacedPart) =>
  (part.operation.outputFields ?? []).map(({ key, label = '' }) => {
    return { place: `${part.place}.${key}`, key, label, text: label };
  });

const unitOf = (key: string): string =>
  /_(cents|pct)$/.exec(key)?.[1]?.replace('pct', 'percent') ?? '';

const strangeUrls = [
  'http://service.example/api/v1',
  'https://user:word@service.example/api/v1',
  'https://service.example/api/v1?to=elsewhere',
  'https://service.example/api/v1#@elsewhere.example',
  'javascript:alert(1)/api/v1',
  'file:///api/v1',
];

/** Rules for samples; also for what a step returns, which Zapier checks like its sample. */
export const sampleRules: Readonly<Record<string, Check>> = {
  'D010 the sample holds the fields that tell records apart': ({ definition }) =>
    visiblePartsOf(definition).flatMap((part) =>
      keysOf(part)
        .filter((key) => (sampleOf(part, key) ?? null) === null)
        .map((key) => `${part.place}.${key}`),
    ),
  'D012 there is a sample': steps(
    ({ operation }) => Object.keys(operation.sample ?? {}).length === 0,
  ),
  'D023 times in samples have a zone': ({ definition }) =>
    visiblePartsOf(definition).flatMap((part) =>
      wrongFields(
        part,
        ({ type }, value) =>
          type === 'datetime' && (value ?? null) !== null && !isoWithZone.test(String(value)),
      ),
    ),
  'D024 values in samples are of the type of their field': ({ definition }) =>
    visiblePartsOf(definition).flatMap((part) =>
      wrongFields(part, (field, value) =>
        (value ?? null) === null ? field.required === true : !isOfType(field, value),
      ),
    ),
};

/** Zapier's own checks by their codes, which run only with an account; and what reviewers ask for. */
export const rules: Readonly<Record<string, Check>> = {
  ...sampleRules,
  'D001 secrets are asked for in the connection': ({ definition }) =>
    where(partsOf(definition).flatMap(inputFieldsOf), ({ key }) => secretName.test(key)),
  'D002 each field of the connection links to help': ({ definition }) =>
    definition.authentication.fields
      .filter(({ computed, helpText }) => !computed && !helpPage.test(helpText ?? ''))
      .map(({ key }) => key),
  'D003 the connection has a label without a secret': ({ definition: { authentication } }) =>
    secretName.test(authentication.connectionLabel ?? 'secret') ? ['connectionLabel'] : [],
  'D004 a field for an ID offers a dropdown': fields(
    ({ key, dynamic, choices }) => idName.test(key) && !dynamic && !choices,
  ),
  'D005 the list of a dropdown exists': fields(
    ({ dynamic }, definition) => dynamic && !hasTarget(definition, dynamic),
  ),
  'D006 a hook of a public app lists recent records': ({ definition, isPublic }) =>
    isPublic
      ? where(visiblePartsOf(definition), ({ operation }) => {
          return operation.type === 'hook' && !operation.performList;
        })
      : [],
  'D007 links use https': texts((text) => text.includes('http://')),
  'D008 links are Markdown, and there is no HTML': texts(hasBrokenMarkdown),
  'D009 a search has a field': steps(
    (part) => part.kind === 'searches' && inputFieldsOf(part).length === 0,
  ),
  'D011 a help text says more than the label': ({ definition }) =>
    visiblePartsOf(definition).flatMap((part) =>
      where(inputFieldsOf(part), (field) => repeatsLabel(field, part.noun)),
    ),
  'D013 the search that fills a field exists': fields(
    ({ search }, { searches }) => search && !((search.split('.')[0] ?? '') in searches),
  ),
  'D014 a field that a search fills holds one text or number': fields(
    ({ search, type = 'string', list, dict, children }) =>
      search && (list || dict || children || !['string', 'number', 'integer'].includes(type)),
  ),
  'D015 a search or create is made of ones that exist': ({ definition }) =>
    Object.values(definition.searchOrCreates ?? {})
      .filter(({ search, create }) => {
        return !(search in definition.searches && create in definition.creates);
      })
      .map(({ search }) => search),
  'D016 an app is more than one hook without a subscription': ({ definition }) =>
    visiblePartsOf(definition).every(lacksSubscription) ? ['triggers'] : [],
  'D017 a hook of a public app subscribes': ({ definition, isPublic }) =>
    isPublic ? where(visiblePartsOf(definition), lacksSubscription) : [],
  'D018 labels are in Title Case': steps(({ display }) => !isTitleCase(display.label)),
  'D021 descriptions have the form that Zapier asks for': steps(
    ({ kind, display }) => !descriptions[kind].test(display.description),
  ),
  'D022 a create has a field that is always there': steps(
    (part) => part.kind === 'creates' && inputFieldsOf(part).length === 0,
  ),
  'D025 no address in a text runs a program': texts((text) =>
    /\b(javascript|data|vbscript|file):\S/i.test(text),
  ),
  'D026 the base URL is checked before credentials are sent': ({ accepts }) =>
    strangeUrls.filter(accepts),
  'D027 the app runs on the newest platform': ({ definition, newestPlatform }) =>
    definition.platformVersion === newestPlatform ? [] : ['platformVersion'],
  'D028 the app gets its input with empty values': ({ definition }) => [
    ...(definition.flags.cleanInputData === false ? [] : ['flags.cleanInputData']),
    ...where(partsOf(definition), ({ operation }) => operation.cleanInputData === true),
  ],
  'E001 no environment variable is read': ({ code }) => code.match(/\bprocess\.env\b/g) ?? [],
  'a label speaks of the thing, not of its ID': fields(
    ({ label }) => !label || !isTitleCase(label) || /\bid$/i.test(label),
  ),
  'a dropdown of an action can also be filled by a search': ({ definition }) =>
    visiblePartsOf(definition).flatMap((part) =>
      where(inputFieldsOf(part), (field) => lacksSearch(definition, part, field)),
    ),
  'the label of a search starts with Find': steps(
    ({ kind, display }) => kind === 'searches' && !display.label.startsWith('Find '),
  ),
  'a noun is a thing, and not what happens to it': steps(({ noun }) =>
    /\b(\w+ed|Paid|New)\b/.test(noun),
  ),
  'no two steps are called or described alike': ({ definition }) => {
    const parts = visiblePartsOf(definition);
    return [
      ...alike(parts.map(({ place, display }) => ({ place, text: display.description }))),
      ...alike(parts.map(({ place, display }) => ({ place, text: display.label }))),
    ];
  },
  'no two fields of a result have the same label': ({ definition }) =>
    visiblePartsOf(definition).flatMap((part) => alike(outputOf(part))),
  'the label of an amount or a share names its unit': ({ definition }) =>
    where(
      visiblePartsOf(definition).flatMap((part) => [...inputFieldsOf(part), ...outputOf(part)]),
      ({ key, label = '' }) => !label.toLowerCase().includes(unitOf(key)),
    ),
  'an action that takes something away says that it cannot be undone': steps(
    ({ key, display }) =>
      /^(revoke|delete|remove|cancel)_/.test(key) &&
      !display.description.includes('cannot be undone'),
  ),
  'a help text does not mention what the service leaves open': texts((text) =>
    text.includes('does not publish'),
  ),
};
