import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import { type CallOptions, InputError } from '@screen-advertising/core';
import type { CatalogueEntry } from '@screen-advertising/core/availability';
import { inputJsonSchema, recordFields } from '@screen-advertising/core/forms';

export type ToolArguments = Readonly<Record<string, unknown>>;
export type JsonSchema = Record<string, unknown>;

/** One call of a tool. */
export interface ToolCall {
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Milliseconds until the client must have a result. */
  readonly left: () => number;
  /** Aborts while there is still time to return what was read until then. */
  readonly ending: AbortSignal;
  /** Reports how far the work is, if the client asked for that. */
  readonly report: (progress: number, message: string) => void;
  /** Adds content, such as a picture, to the result. */
  readonly attach: (content: ContentBlock) => void;
}

/** One MCP tool. Its annotations say when a client should ask the user first. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Rejects with a ScreenAdvertisingError that says what to do. */
  readonly run: (input: ToolArguments, call: ToolCall) => Promise<Record<string, unknown>>;
}

/** For one request of a call. */
export function callOptionsOf({ signal, left }: ToolCall): CallOptions {
  return { signal, deadlineMs: left() };
}

/** Turns a title into a tool name of the usual form: `List Screens` becomes `list_screens`. */
export function toolName(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '_');
}

/** In results and arguments alike. */
const nameOf = (field: string): string => (field === 'screenId' ? 'screen_id' : field);

/** The arguments under the names of the catalogue. */
export function withCatalogueNames(
  { screen_id, ...input }: ToolArguments,
  entry: CatalogueEntry,
): ToolArguments {
  const isRenamed = Object.hasOwn(inputJsonSchema(entry).properties as object, 'screenId');
  if (screen_id === undefined || !isRenamed)
    return screen_id === undefined ? input : { screen_id, ...input };
  return { screenId: screen_id, ...input };
}

/** Under the name of the tool and of its arguments. */
export function errorInToolWords(error: unknown, title: string): unknown {
  if (!InputError.isInstance(error)) return error;
  const issues = error.issues.map(({ field, message }) => ({ field: nameOf(field), message }));
  return new InputError(title, issues);
}

/** The input schema of a catalogue entry, kept short to save the model's context. */
export function inputSchema(entry: CatalogueEntry): JsonSchema {
  const { $schema, title, properties = {}, required, ...schema } = inputJsonSchema(entry);
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const labels = fields.map(([name, { title: label }]) => [String(label), nameOf(name)] as const);
  return {
    ...schema,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [nameOf(name), shortened(field, labels)]),
    ),
    ...(Array.isArray(required) && { required: required.map(nameOf) }),
  };
}

/**
 * Drops labels, which are for forms, and a pattern that a format already implies. Within a sentence
 * of the help, the label of another field becomes its name.
 */
function shortened(
  { title, 'x-labels': values, pattern, description = '', ...field }: JsonSchema,
  labels: readonly (readonly [label: string, name: string])[],
): JsonSchema {
  const help = labels.reduce(
    (words, [label, name]) => words.replaceAll(new RegExp(`(?<=[a-z,] )${label}\\b`, 'g'), name),
    String(description),
  );
  return {
    ...field,
    ...(!field.format && pattern !== undefined && { pattern }),
    ...(help && { description: help }),
  };
}

/** The known fields of a record, of any type: the model receives whatever the service sends. */
export function outputSchema(entry: CatalogueEntry, added: JsonSchema = {}): JsonSchema {
  const fields = recordFields(entry).map(({ name }) => [name, {}]);
  return { type: 'object', properties: { ...Object.fromEntries(fields), ...added } };
}
