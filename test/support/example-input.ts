import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { formFields, inputJsonSchema } from '@screen-advertising/core/forms';

/** Input that a catalogue entry accepts, from the examples of the catalogue. */
export function exampleInput(operation: CatalogueEntry): Record<string, unknown> {
  const { properties = {} } = inputJsonSchema(operation) as {
    properties?: Record<string, { examples?: unknown[] }>;
  };
  const [required, optional] = [true, false].map((isRequired) =>
    formFields(operation)
      .filter((field) => field.required === isRequired)
      .map(({ name, choices }) => [name, choices?.[0]?.value ?? properties[name]?.examples?.[0]]),
  );
  const least = Object.fromEntries(required ?? []);
  // Where one of several fields is needed, none of them is marked as required.
  return operation.input.safeParse(least).success
    ? least
    : { ...least, ...Object.fromEntries(optional?.slice(0, 1) ?? []) };
}
