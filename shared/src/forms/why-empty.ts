import { formFields } from '../catalogue/fields.ts';
import type { CatalogueEntry } from '../catalogue/operation.ts';
import { safeOutsideText } from '../client/redact.ts';
import type { CallOptions } from '../client/run.ts';
import type { Client } from '../create-client.ts';
import { countryCode } from './countries.ts';
import { type KnownField, knownFields, knownValues, listWithField } from './known-values.ts';
import { nearestSpelling } from './nearest.ts';

/** How many values to name when none is close. */
const maxNamed = 10;

/**
 * Why a list or search is empty, in sentences: a filter with a value that no record has, and
 * the nearest value that some have. Reads the records without filters. Undefined if each value of a
 * filter exists, or if they cannot be read.
 */
export async function explainEmptyResult(
  client: Pick<Client, 'items'>,
  entry: CatalogueEntry,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<string | undefined> {
  const [first, ...others] = knownFields.filter((field) => textOf(input[field]) !== '');
  if (!first) return undefined;
  try {
    const fields = [first, ...others] as const;
    const values = await knownValues(client, fields, options);
    const sentences = fields.flatMap((field) =>
      missing(entry, field, textOf(input[field]), values),
    );
    return sentences.join(' ') || undefined;
  } catch {
    // The search itself succeeded, and this only explains it.
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The sentences about a value that no record has. */
function missing(
  entry: CatalogueEntry,
  field: KnownField,
  given: string,
  { [field]: values }: Readonly<Record<KnownField, readonly string[]>>,
): string[] {
  const written = field === 'country' ? countryCode(given) : given;
  if (values.includes(written)) return [];
  const { title } = formFields(entry).find(({ name }) => name === field) ?? { title: field };
  const where = /^(city|country)$/.test(field) ? 'is in' : `has the ${title.toLowerCase()}`;
  const noun = listWithField(field).resource.title.toLowerCase();
  const alike = values.find((value) => value.normalize() === written.normalize());
  if (alike !== undefined) {
    return [
      `The service writes "${safeOutsideText(alike)}" with other characters that look the same: choose it from the list, or copy it from a record.`,
    ];
  }
  const close = nearestSpelling(written, values);
  const known = values.slice(0, maxNamed).map((value) => safeOutsideText(value));
  const more = values.length > maxNamed ? ', and others' : '';
  return [
    `No ${noun} ${where} "${safeOutsideText(given)}".`,
    ...(close ? [`Did you mean "${safeOutsideText(close)}"?`] : []),
    ...(!close && known.length > 0 ? [`Known values: ${known.join(', ')}${more}.`] : []),
  ];
}
