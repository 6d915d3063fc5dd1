import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { CallOptions, ScreenAdvertisingError } from '@screen-advertising/core';

export type Fields = Readonly<Record<string, unknown>>;
export type JsonSchema = Record<string, unknown>;

/** One MCP tool. Its annotations say when a client should ask the user first. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: ToolAnnotations;
  /** Rejects with a ScreenAdvertisingError that says what to do. */
  readonly run: (
    input: Fields,
    options: CallOptions,
    /** Adds content, such as a picture, to the record. */
    attach: (content: ContentBlock) => void,
  ) => Promise<Record<string, unknown>>;
}

/** Turns a title into a tool name of the usual form: `List Screens` becomes `list_screens`. */
export function toolName(title: string): string {
  return title.toLowerCase().replaceAll(/\W+/g, '_');
}

/** What a model can do about an error, in addition to what its message says. */
export function adviceFor({ code, isRetryable }: ScreenAdvertisingError): string {
  if (code === 'invalid_input') return 'Correct the arguments and call the tool again.';
  if (accessErrors.has(code)) {
    return 'Do not retry: the user must fix the settings of this MCP server.';
  }
  if (isRetryable) return 'Retrying later with the same arguments is safe.';
  return 'Do not retry with the same arguments.';
}

const accessErrors: ReadonlySet<string> = new Set([
  'invalid_configuration',
  'authentication_failed',
  'missing_scope',
]);
