import { createAppHandler } from 'zapier-platform-core';
import privateApp from 'zapier-screen-advertising';
import publicApp from 'zapier-screen-advertising/public';

const variants = { private: privateApp, public: publicApp } as const;

export type Variant = keyof typeof variants;

/**
 * The definition as Zapier stores it, functions replaced by text. Leaves out functions among the
 * output fields: only a run shows what they return.
 */
export async function definitionOf(variant: Variant): Promise<Definition> {
  const handle = createAppHandler(variants[variant]);
  const { results } = await handle({ command: 'definition', calledFromCli: true });
  const definition = results as Definition;
  for (const { kind, key, operation } of partsOf(definition)) {
    const known = operation.outputFields?.filter((field) => typeof field !== 'string');
    const { inputFields = [] } = (variants[variant] as unknown as App)[kind][key]?.operation ?? {};
    const chosenFields = chosenFieldsOf(inputFields);
    Object.assign(operation, known && { outputFields: known }, { chosenFields });
  }
  return definition;
}

/** The app before Zapier replaces its functions. */
type App = Readonly<Record<Kind, Readonly<Record<string, FormPart>>>>;
type FieldFunction = (z: undefined, bundle: object) => InputField[] | Promise<InputField[]>;
type FormPart = {
  readonly operation: { readonly inputFields?: readonly (InputField | FieldFunction)[] };
};

/** The fields that the choices of a form add to it. */
function chosenFieldsOf(inputFields: readonly (InputField | FieldFunction)[]): InputField[] {
  const forms = inputFields.flatMap((field) =>
    typeof field === 'object' && field.altersDynamicFields === true
      ? ((field.choices ?? []) as { value: string }[]).map(({ value }) => ({ [field.key]: value }))
      : [],
  );
  const chosen = inputFields.flatMap((field) =>
    typeof field === 'function'
      ? forms.flatMap((inputData) => {
          const shown = field(undefined, { inputData });
          // A promise is for what only the service knows.
          return shown instanceof Promise ? [] : shown;
        })
      : [],
  );
  return [...new Map(chosen.map((field) => [field.key, field])).values()];
}

/** The parts of an app's definition that the rules read, as `createAppHandler` serializes it. */
export interface Definition {
  readonly authentication: {
    readonly fields: readonly InputField[];
    readonly connectionLabel?: string;
  };
  readonly triggers: Readonly<Record<string, Part>>;
  readonly creates: Readonly<Record<string, Part>>;
  readonly searches: Readonly<Record<string, Part>>;
  readonly searchOrCreates: Readonly<
    Record<string, { readonly key: string; readonly search: string; readonly create: string }>
  >;
}

interface Part {
  readonly key: string;
  readonly noun: string;
  readonly display: {
    readonly label: string;
    readonly description: string;
    readonly directions?: string;
    readonly hidden?: boolean;
  };
  readonly operation: {
    readonly type?: string;
    readonly performList?: unknown;
    readonly performSubscribe?: unknown;
    readonly performUnsubscribe?: unknown;
    /** A text stands for a function that returns fields. */
    readonly inputFields?: readonly (InputField | string)[];
    /** Those that appear once a choice is made. */
    readonly chosenFields?: readonly InputField[];
    readonly outputFields?: readonly InputField[];
    readonly sample?: Readonly<Record<string, unknown>>;
  };
}

/** A field of a form, of a record, or of the connection. */
export interface InputField {
  readonly key: string;
  readonly label?: string;
  readonly helpText?: string;
  readonly placeholder?: string;
  readonly dynamic?: string;
  readonly search?: string;
  readonly type?: string;
  readonly required?: boolean;
  readonly choices?: unknown;
  readonly altersDynamicFields?: boolean;
  readonly dict?: boolean;
  readonly primary?: boolean;
  readonly computed?: boolean;
}

type Kind = 'triggers' | 'creates' | 'searches';

export interface PlacedPart extends Part {
  readonly kind: Kind;
  /** Such as `creates.create_coupon`. */
  readonly place: string;
}

export function partsOf(definition: Definition): PlacedPart[] {
  const kinds: readonly Kind[] = ['triggers', 'creates', 'searches'];
  return kinds.flatMap((kind) =>
    Object.entries(definition[kind]).map(([key, part]) => ({
      ...part,
      kind,
      place: `${kind}.${key}`,
    })),
  );
}

export function visiblePartsOf(definition: Definition): PlacedPart[] {
  return partsOf(definition).filter(({ display }) => !display.hidden);
}

/** The input fields, also those that appear once a choice is made, each with its place. */
export function inputFieldsOf(part: PlacedPart): (InputField & { place: string })[] {
  const { inputFields = [], chosenFields = [] } = part.operation;
  return [...inputFields, ...chosenFields].flatMap((field) =>
    typeof field === 'string' ? [] : [{ ...field, place: `${part.place}.${field.key}` }],
  );
}

const near = '52.52, 13.405';
const march = { from: '2027-03-01', to: '2027-03-31' };

/** What a step needs to run, where the fields that it requires are not enough, or too many. */
const ownInputs: Readonly<Record<string, object>> = {
  'creates.create_landing_link': { utm_campaign: 'spring' },
  'searches.find_screen': { city: 'Berlin', near },
  'searches.find_screen_availability': { screen_id: 'scr_berlin_0001', ...march },
  'searches.find_available_screens': { city: 'Berlin', near, ...march },
  'searches.find_coupon': { code: 'SPRING-25' },
  'searches.find_user': { email: 'lead@example.com' },
  'searches.find_campaign_request': { status: 'rejected' },
  'triggers.new_screen': { near },
  'triggers.screen_availability_changed': { change: 'either', share_pct: 10, near, ...march },
};

/** Input with which a step succeeds; where that is enough, what the form itself suggests. */
export function exampleInputOf(part: PlacedPart): object {
  const own = ownInputs[part.place];
  if (own) return own;
  const required = inputFieldsOf(part).filter((field) => field.required);
  return Object.fromEntries(
    required.map(({ key, choices, placeholder }) => {
      const [first] = (choices ?? []) as { value: string }[];
      return [key, first?.value ?? placeholder];
    }),
  );
}
