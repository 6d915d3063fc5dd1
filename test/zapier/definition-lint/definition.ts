/** The parts of an app's definition that the rules read, as `createAppHandler` serializes it. */
export interface Definition {
  readonly authentication: {
    readonly fields: readonly AuthField[];
    readonly connectionLabel?: string;
  };
  readonly triggers: Readonly<Record<string, Part>>;
  readonly creates: Readonly<Record<string, Part>>;
  readonly searches: Readonly<Record<string, Part>>;
  readonly searchOrCreates: Readonly<
    Record<string, { readonly key: string; readonly search: string; readonly create: string }>
  >;
}

interface AuthField {
  readonly key: string;
  readonly type?: string;
  readonly computed?: boolean;
  readonly helpText?: string;
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
    readonly outputFields?: readonly OutputField[];
    readonly sample?: Readonly<Record<string, unknown>>;
  };
}

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
  readonly list?: boolean;
  readonly dict?: boolean;
  readonly children?: unknown;
}

interface OutputField {
  readonly key: string;
  readonly label?: string;
  readonly type?: string;
  readonly dict?: boolean;
  readonly primary?: boolean;
  readonly required?: boolean;
}

export type Kind = 'triggers' | 'creates' | 'searches';

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
