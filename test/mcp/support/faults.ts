import type { FaultRule } from '@screen-advertising/sandbox';

export interface Fault {
  readonly name: string;
  readonly rule: FaultRule;
  /** What a model reads after a failed read; undefined when the response is usable. */
  readonly remedy?: RegExp;
}

const settings = /the user must fix the settings of this MCP server\.$/;
const later = /Retrying later with the same arguments is safe\.$/;
const never = /Do not retry with the same arguments\.$/;
const either = new RegExp(`${later.source}|${never.source}`);

const status = (code: number, remedy: RegExp): Fault => ({
  name: `status ${code}`,
  rule: { fault: 'status', status: code },
  remedy,
});

/** Every kind of fault that the sandbox knows. */
export const faults: readonly Fault[] = [
  status(400, never),
  status(401, settings),
  status(403, settings),
  status(404, never),
  status(409, never),
  status(429, later),
  status(500, later),
  status(503, later),
  { name: 'reset, before', rule: { fault: 'reset' }, remedy: later },
  { name: 'reset, after', rule: { fault: 'reset', when: 'after' }, remedy: later },
  { name: 'truncated body', rule: { fault: 'truncated-body' }, remedy: either },
  { name: 'malformed JSON', rule: { fault: 'malformed-json' }, remedy: never },
  { name: 'HTML', rule: { fault: 'html-body' }, remedy: never },
  { name: 'empty body', rule: { fault: 'empty-body' }, remedy: never },
  { name: 'latency', rule: { fault: 'latency', ms: 1 } },
  { name: 'slow body', rule: { fault: 'slow-body', ms: 1 } },
  { name: 'content type', rule: { fault: 'content-type', contentType: 'text/plain' } },
];

/** After a change, the text for a model also depends on whether a retry of the change is safe. */
export const anyRemedy = new RegExp(`${settings.source}|${either.source}`);
