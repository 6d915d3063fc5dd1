import type { Client } from '@modelcontextprotocol/client';
import { callTool } from './call.ts';

export interface List {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly has_more: boolean;
  readonly total_count?: number;
  readonly cursor?: string;
  readonly note?: string;
}

/** The rows of a list, each as a record. */
export const recordsIn = ({ columns, rows }: List): Record<string, unknown>[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));

/** Calls a tool that returns a list. */
export async function callList(client: Client, name: string, input: object = {}): Promise<List> {
  const { record, text, isError } = await callTool(client, name, input);
  if (isError) throw new Error(text);
  return record as unknown as List;
}

/** All responses of a tool that returns a list, from the first to the last. */
export async function allParts(client: Client, name: string, input: object = {}): Promise<List[]> {
  const parts = [await callList(client, name, input)];
  for (let cursor = parts[0]?.cursor; cursor && parts.length < 100; cursor = parts.at(-1)?.cursor) {
    parts.push(await callList(client, name, { ...input, cursor }));
  }
  return parts;
}
