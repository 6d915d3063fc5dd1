import {
  type CallOptions,
  type Client,
  type Operation,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import {
  EmptyConditionError,
  formFields,
  isEmpty,
  readBothParts,
  withCurrencyAmounts,
} from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import { drawQrCode, type QrCode, qrCodeForm, withQrCode } from '@screen-advertising/core/qr-code';
import type { Bundle, Create, PlainOutputField, Search, ZObject } from 'zapier-platform-core';
import { createRunClient, recoverablePolicy, singleRequestPolicy } from './client.ts';
import {
  createHaltedError,
  type ErrorOptions,
  type NamedStep,
  withZapierErrors,
} from './errors.ts';
import {
  createForm,
  type FieldExtras,
  type FormAdditions,
  inputForEntry,
  outputFields,
  screenDropdownSettings,
  zapierNoun,
} from './fields.ts';
import { runDeadlineMs } from './limits.ts';
import { oneOrNone } from './search.ts';

type Values = Readonly<Record<string, unknown>>;

/** The texts and the behavior of a step that differ from those of its operation. */
interface Overrides extends ErrorOptions, Pick<FormAdditions, 'optional' | 'more' | 'extras'> {
  readonly label?: string;
  readonly noun?: string;
  readonly description?: string;
  readonly advice?: NonNullable<NamedStep['advice']>;
  /** Makes the input from what was read, if Zapier has more fields. Throws InputError. */
  readonly prepare?: (read: Values, label: string, timeZone?: string | null) => Values;
  /** Fields that identify a record. Default: the path parameters, or the caller's own key. */
  readonly primary?: readonly string[];
  readonly callOptions?: CallOptions;
  /**
   * Why a change that the service refused needs no one: what it was for is so already, as the
   * service shows. Undefined if it is not.
   */
  readonly whyDone?: (
    client: Client,
    input: Values,
    error: ScreenAdvertisingError,
  ) => Promise<string | undefined>;
  /** The record as the step shows it; undefined for one that does not count as found. */
  readonly shown?: (record: object) => object | undefined;
  /** Members of the sample in addition to those of the catalogue. */
  readonly sample?: object;
  /** Why a record that was found is not what the step asks for; undefined if it is. */
  readonly mismatch?: (record: object, read: Values) => string | undefined;
}

/** A search for the one record that an operation reads. */
export function searchFromCatalogue(operation: Operation, overrides: Overrides = {}) {
  const label = `Find ${operation.resource.title}`;
  const description = operation.description.replace('Gets', 'Finds');
  const { shown = withCurrencyAmounts, mismatch } = overrides;
  return fromCatalogue(
    operation,
    { label, description, ...overrides },
    async ({ z, client, input, read }): Promise<object[]> => {
      const call = client.call(operation, input, { deadlineMs: runDeadlineMs });
      // Without an ID in the path, a 404 does not speak of the record.
      const records = inPath(operation).length > 0 ? await oneOrNone(call) : [await call];
      return (records as object[]).flatMap((record) => {
        const why = mismatch?.(record, read);
        if (why) z.console.log(why);
        return why ? [] : (shown(record) ?? []);
      });
    },
  ) satisfies Search;
}

/** A create for an operation that changes something. */
export function createFromCatalogue(operation: Operation, overrides: Overrides = {}) {
  const { callOptions, whyDone } = overrides;
  return fromCatalogue(
    operation,
    overrides,
    async ({ z, client, input }): Promise<object> => {
      try {
        return withCurrencyAmounts((await client.call(operation, input, callOptions)) as object);
      } catch (error) {
        if (!ScreenAdvertisingError.isInstance(error)) throw error;
        const why = await whyDone?.(client, input, error);
        throw why ? createHaltedError(z, why) : error;
      }
    },
    operation.recovery === 'none' ? singleRequestPolicy : recoverablePolicy,
  ) satisfies Create;
}

/** A run of a step: its fields as Zapier has them, and as the operation takes them. */
interface StepRun {
  readonly z: ZObject;
  /** It adds the QR code to the record, if the step asks for one. */
  readonly client: Client;
  readonly read: Values;
  readonly input: Values;
}

/** A step whose form, texts and fields are those of an operation, with what Zapier changes. */
function fromCatalogue<Result>(
  operation: Operation,
  overrides: Overrides,
  run: (given: StepRun) => Promise<Result>,
  policy?: Parameters<typeof createRunClient>[2],
) {
  const { title, resource, scopes, sample, callerKey } = operation;
  const { label = title, noun = resource.title, description = operation.description } = overrides;
  const { advice, prepare, optional = [], more = [] } = overrides;
  const { primary = callerKey ? [callerKey] : inPath(operation) } = overrides;
  const extras = { ...idDropdowns, ...overrides.extras };
  const form = createForm<Operation>(operation, { optional, more, extras });
  const qrCode = qrCodeOf(operation);
  const fields = [...form.fields, ...qrCode.fields];
  const step: NamedStep = { label, scopes, fields, ...(advice && { advice }) };
  return defineStep(step, {
    // It must stay: saved Zaps refer to it.
    key: label.toLowerCase().replaceAll(' ', '_'),
    noun: zapierNoun(noun),
    description,
    inputFields: [...form.fields, ...qrCode.inputFields],
    outputFields: [...outputFields(operation, primary), ...qrCode.outputFields],
    sample: withCurrencyAmounts({ ...sample, ...overrides.sample }),
    async perform(z: ZObject, bundle: Bundle): Promise<Result> {
      const [{ read, input }, code] = readBothParts(
        label,
        () => {
          const read = form.read(bundle);
          const input =
            prepare?.(read, label, bundle.meta.timezone) ?? inputForEntry(operation, read);
          // So that its faults are reported with all others.
          parseInput(operation, input);
          return { read, input: input as Values };
        },
        () => qrCode.read(bundle),
      );
      const client = withQrCode(createRunClient(z, bundle, policy), code, (drawn) => ({
        qr_code: z.dehydrateFile(drawQrCodeFile, { ...drawn }),
      }));
      return run({ z, client, read, input });
    },
    errors: overrides,
  });
}

/** The names of the fields in the path of an operation. */
function inPath(operation: Operation): string[] {
  return formFields(operation).flatMap((field) => (field.in === 'path' ? field.name : []));
}

/** A field that takes the ID of a screen offers a list of screens in every step. */
const idDropdowns: FieldExtras = {
  screenId: {
    ...screenDropdownSettings,
    search: 'find_screen.id',
    helpText: 'Choose a screen, or add a Find Screen step.',
  },
};

/** Draws a QR code when a later step uses its file. */
export async function drawQrCodeFile(z: ZObject, { inputData }: Bundle): Promise<string> {
  const { name, mimeType, bytes } = await drawQrCode(inputData as unknown as QrCode);
  return z.stashFile(Buffer.from(bytes), bytes.length, name, mimeType);
}

const qrCodeOutputFields: PlainOutputField[] = [
  { key: 'qr_code', label: 'QR Code', type: 'file' },
  { key: 'qr_code_warning', label: 'QR Code Warning', type: 'string' },
];

/** The part of a form for the QR code of its record. Nothing for a record that gets none. */
function qrCodeOf(operation: CatalogueEntry) {
  const entry = qrCodeForm(operation);
  const form = entry && createForm(entry);
  const [format, ...details] = form?.fields ?? [];
  return {
    /** All fields, for errors. */
    fields: format ? [format, ...details] : [],
    /** The others appear in the form once a format is chosen. */
    inputFields: format
      ? [
          { ...format, altersDynamicFields: true },
          (_z: ZObject, { inputData }: Bundle) => (isEmpty(inputData[format.key]) ? [] : details),
        ]
      : [],
    outputFields: form ? qrCodeOutputFields : [],
    read: (bundle: Bundle): Values => {
      const input: Values = { ...form?.read(bundle) };
      if (entry) parseInput(entry, input);
      return input;
    },
  };
}

interface Parts<Result> {
  /** It must stay: saved Zaps refer to it. */
  readonly key: string;
  readonly noun: string;
  readonly description: string;
  readonly perform: (z: ZObject, bundle: Bundle) => Promise<Result>;
  readonly errors?: ErrorOptions;
  readonly outputFields: NonNullable<Search['operation']['outputFields']>;
  /** Only of a trigger. */
  readonly type?: 'polling';
}

/** A search, a create or a polling trigger; `operation` holds whatever else Zapier takes of it. */
export function defineStep<Result, Operation extends object>(
  step: NamedStep,
  { key, noun, description, perform, errors, ...operation }: Parts<Result> & Operation,
) {
  const place = 'type' in operation ? 'poll' : 'step';
  const run = async (z: ZObject, bundle: Bundle): Promise<Result> => {
    const result = await perform(z, bundle).catch((error: unknown) => {
      if (!(error instanceof EmptyConditionError)) throw error;
      z.console.log(error.message);
      return ('canPaginate' in operation ? { results: [], paging_token: null } : []) as Result;
    });
    // Zapier takes only the IDs of these records, of which there may be very many.
    return bundle.meta.isPopulatingDedupe ? result : completed(result, operation.outputFields);
  };
  return {
    key,
    noun,
    display: { label: step.label, description },
    operation: {
      inputFields: step.fields,
      ...operation,
      perform: withZapierErrors(run, { ...step, place }, errors),
    },
  };
}

/**
 * The record with every field that its step declares: the specification shows few fields of most
 * records, and a field that is offered in the editor must not be missing in a run. Null counts as
 * empty in Zapier.
 */
export function withAllDeclaredFields(
  record: object,
  declared: readonly PlainOutputField[],
): object {
  return declared.reduce<Values>((known, { key }) => withField(known, key.split('__')), {
    ...record,
  });
}

function withField(record: Values, [name = '', ...inner]: readonly string[]): Values {
  const value = record[name];
  if (inner.length === 0) return value === undefined ? { ...record, [name]: null } : record;
  const isEmpty = value === undefined || value === null;
  if (!isEmpty && (typeof value !== 'object' || Array.isArray(value))) return record;
  return { ...record, [name]: withField((value ?? {}) as Values, inner) };
}

/** Completes whatever a step returns: a record, a list, or a page of one. */
function completed<Result>(
  result: Result,
  outputFields: NonNullable<Search['operation']['outputFields']>,
): Result {
  const declared = outputFields.filter((field) => typeof field !== 'function');
  const all = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.map((record: object) => withAllDeclaredFields(record, declared));
    const page = value as { results?: unknown };
    if (Array.isArray(page.results)) return { ...page, results: all(page.results) };
    return withAllDeclaredFields(page, declared);
  };
  return all(result) as Result;
}
