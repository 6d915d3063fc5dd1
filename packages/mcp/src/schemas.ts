import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { inputJsonSchema, recordFields } from '@screen-advertising/core/forms';
import type { JsonSchema } from './tool.ts';

/** The input schema of a catalogue entry, kept short to save the model's context. */
export function inputSchema(entry: CatalogueEntry): JsonSchema {
  const { $schema, title, properties, ...schema } = inputJsonSchema(entry);
  if (properties === undefined) return schema;
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const short = fields.map(([name, field]) => [name, shortened(field)]);
  return { ...schema, properties: Object.fromEntries(short) };
}

/** Drops labels, which are for forms, and a pattern that a format already implies. */
function shortened({ title, 'x-labels': labels, pattern, ...field }: JsonSchema): JsonSchema {
  return field.format || !pattern ? field : { ...field, pattern };
}

/** The known fields of a record, without types: the model receives whatever the service sends. */
export function outputSchema(entry: CatalogueEntry): JsonSchema {
  const words = (description: string) => (description ? { description } : {});
  const fields = recordFields(entry).map(({ name, description }) => [name, words(description)]);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

/** One part of a list, with the cursor that continues it. */
export function listSchema(entry: CatalogueEntry): JsonSchema {
  return {
    type: 'object',
    properties: {
      data: { type: 'array', items: outputSchema(entry) },
      pagination: {
        type: 'object',
        properties: { has_more: { type: 'boolean' }, cursor: {}, total_count: {} },
      },
      note: { type: 'string' },
    },
    required: ['data', 'pagination'],
  };
}

/** The schema with a new description for one property, which is added if missing. */
export function describing(
  schema: JsonSchema,
  name: string,
  description: string,
  type = 'string',
): JsonSchema {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const property = { type, ...properties[name], description };
  return { ...schema, properties: { ...properties, [name]: property } };
}
