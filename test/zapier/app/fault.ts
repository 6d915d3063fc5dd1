import type { Service } from './service.ts';

export type Fault = Parameters<Service['sandbox']['faults']['add']>[0];

/** A service that responds with this status to every request; `said` quotes it. */
export const status = (code: number, headers: Record<string, string> = {}) =>
  ({ fault: 'status', status: code, detail: 'A fault.', headers }) satisfies Fault;

export const said = 'The service says: "A fault."';
