import type { ServiceCell } from '../service-cell.ts';
import type { Failure } from './failures.ts';
import { isChange, type Span } from './policies.ts';

export interface Expected {
  readonly ends: 'answer' | Failure;
  readonly requests: number | Span;
  /** A kept connection that turns out to be closed costs no try, once. */
  readonly mayReconnect?: boolean;
  readonly tokens: number | Span;
  readonly applied: 0 | 1;
}

export function succeeds(
  cell: ServiceCell,
  requests: number | Span = 1,
  tokens: number | Span = tokensOf(cell),
): Expected {
  return { ends: 'answer', requests, tokens, applied: isChange(cell) ? 1 : 0 };
}

/** With client credentials a token is fetched once and kept; Zapier has it before the task. */
export function tokensOf({ credentials, platform }: ServiceCell): number {
  return credentials === 'API key' || platform === 'zapier' ? 0 : 1;
}
