import type { Dispatcher } from 'undici';
import type { TargetRules } from './target-rules.ts';

/** How requests to subscribers are sent. */
export interface Outbound {
  /** Connects only to allowed addresses. */
  readonly agent: Dispatcher;
  readonly rules: TargetRules;
  readonly timeoutMs: number;
}
