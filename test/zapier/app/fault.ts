import type { Service } from './service.ts';

export type Fault = Parameters<Service['sandbox']['faults']['add']>[0];

/** What `said` quotes: a service that answers so, whatever it is asked. */
export const status = (code: number, headers: Record<string, string> = {}) =>
  ({ fault: 'status', status: code, detail: 'A fault.', headers }) satisfies Fault;

export const said = 'The service says: "A fault."';

/** Answers that came, but cannot be read. */
export const unreadable: readonly (readonly [what: string, fault: Fault])[] = [
  ['is no JSON', { fault: 'malformed-json' }],
  ['is a web page', { fault: 'html-body' }],
  ['is empty', { fault: 'empty-body' }],
];

/** Answers that leave open whether the service acted. */
export const lost: readonly (readonly [what: string, fault: Fault])[] = [
  ...unreadable,
  ['breaks off before the service acts', { fault: 'reset' }],
  ['breaks off after the service acted', { fault: 'reset', when: 'after' }],
  ['is 500', status(500)],
  ['is 503', status(503)],
];
