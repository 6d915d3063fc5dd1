import {
  type CallOptions,
  type Client,
  type Operation,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { formFields, readBoth, withAmounts } from '@screen-advertising/core/forms';
import { parseInput } from '@screen-advertising/core/platform';
import type { Bundle, Create, Search, ZObject } from 'zapier-platform-core';
import { clientFor, recoverablePolicy, singleRequestPolicy } from '../connection/client.ts';
import type { Step } from '../errors/error-message.ts';
import { type ErrorOptions, halt } from '../errors/errors.ts';
import { nounOf } from '../fields/field-names.ts';
import {
  type FieldExtras,
  type FormParts,
  formOf,
  inputOf,
  screenDropdown,
} from '../fields/form.ts';
import { outputFields } from '../fields/output-fields.ts';
import { qrCodeOf } from '../fields/qr-code.ts';
import { deadlineMs } from '../limits.ts';
import { oneOrNone } from './search.ts';
import { defineStep } from './step.ts';

type Values = Readonly<Record<string, unknown>>;

/** What Zapier says or does differently about an operation of the catalogue. */
export interface Overrides extends ErrorOptions, Pick<FormParts, 'optional' | 'more' | 'extras'> {
  readonly label?: string;
  readonly noun?: string;
  readonly description?: string;
  readonly advice?: NonNullable<Step['advice']>;
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
  const part = describe(operation, { label, description, ...overrides });
  const { shown = withAmounts } = overrides;
  const find = async (z: ZObject, bundle: Bundle): Promise<object[]> => {
    const [{ input, read }, qrCode] = part.read(bundle);
    const client = part.qrCode.draw(clientFor(z, bundle), z, qrCode);
    const call = client.call(operation, input, { deadlineMs });
    // Without an ID in the path, a 404 does not speak of the record.
    const records = part.isByPath ? await oneOrNone(call) : [await call];
    return (records as object[]).flatMap((record) => {
      const why = overrides.mismatch?.(record, read);
      if (why) z.console.log(why);
      return why ? [] : (shown(record) ?? []);
    });
  };
  return part.withPerform(find) satisfies Search;
}

/** A create for an operation that changes something. */
export function createFromCatalogue(operation: Operation, overrides: Overrides = {}) {
  const part = describe(operation, overrides);
  const policy = operation.recovery === 'none' ? singleRequestPolicy : recoverablePolicy;
  const change = async (z: ZObject, bundle: Bundle): Promise<object> => {
    const [{ input }, qrCode] = part.read(bundle);
    const client = part.qrCode.draw(clientFor(z, bundle, policy), z, qrCode);
    try {
      const record = await client.call(operation, input, overrides.callOptions);
      return withAmounts(record as object);
    } catch (error) {
      if (!ScreenAdvertisingError.isInstance(error)) throw error;
      const why = await overrides.whyDone?.(client, input, error);
      throw why ? halt(z, why) : error;
    }
  };
  return part.withPerform(change) satisfies Create;
}

/** A field that takes the ID of a screen offers a list of screens in every step. */
const idDropdowns: FieldExtras = {
  screenId: {
    ...screenDropdown,
    search: 'find_screen.id',
    helpText: 'Choose a screen, or add a Find Screen step.',
  },
};

function describe(operation: Operation, overrides: Overrides) {
  const { title, resource, scopes, sample, callerKey } = operation;
  const { label = title, description = operation.description } = overrides;
  const {
    advice,
    prepare = (read: Values) => inputOf(operation, read) as Values,
    optional = [],
    more = [],
  } = overrides;
  const extras = { ...idDropdowns, ...overrides.extras };
  const form = formOf<Operation>(operation, { optional, more, extras });
  const qrCode = qrCodeOf(operation);
  const fields = [...form.fields, ...qrCode.fields];
  const step: Step = { label, scopes, fields, ...(advice && { advice }) };
  const inPath = formFields(operation).filter((field) => field.in === 'path');
  const { primary = callerKey ? [callerKey] : inPath.map(({ name }) => name) } = overrides;
  return {
    label,
    isByPath: inPath.length > 0,
    qrCode,
    read: (bundle: Bundle) =>
      readBoth(
        label,
        () => {
          const read = form.read(bundle);
          const input = prepare(read, label, bundle.meta.timezone);
          // So that its faults are reported with all others.
          parseInput(operation, input);
          return { read, input };
        },
        () => qrCode.read(bundle),
      ),
    withPerform: <Result>(perform: (z: ZObject, bundle: Bundle) => Promise<Result>) =>
      defineStep(step, {
        // It must stay: saved Zaps refer to it.
        key: label.toLowerCase().replaceAll(' ', '_'),
        noun: nounOf(overrides.noun ?? resource.title),
        description,
        inputFields: [...form.fields, ...qrCode.inputFields],
        outputFields: [...outputFields(operation, primary), ...qrCode.outputFields],
        sample: withAmounts({ ...sample, ...overrides.sample }),
        perform,
        errors: overrides,
      }),
  };
}
