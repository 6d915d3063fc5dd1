import type { SandboxContext } from '../context.ts';
import type { Answer } from './route.ts';

/** A single record, bare or under `data` as the variant wants it. */
export function recordAnswer({ variants }: SandboxContext, status: number, record: object): Answer {
  return { status, body: variants.singleRecord === 'data' ? { data: record } : record };
}
