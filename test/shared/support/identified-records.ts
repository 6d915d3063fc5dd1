import type { ScriptedService } from './scripted-service.ts';

/** The service may send an ID as text or as a number: the contract shows neither for all records. */
export const idKinds: readonly (readonly [
  kind: string,
  one: string | number,
  two: string | number,
])[] = [
  ['numbers', 42, 0],
  ['text with leading zeros', '0042', '42'],
];

export const period = { from: '2027-03-01', to: '2027-03-31' };

/** Lists screens with the available shares. */
export function screens(
  service: ScriptedService,
  ids: readonly unknown[],
  ...shares: readonly number[]
): void {
  const data = ids.map((id) => ({ id, name: 'Central', city: 'Berlin' }));
  service.on('GET /screens', { body: { data, pagination: { has_more: false } } });
  for (const [index, id] of ids.entries()) {
    const available = { screen_id: id, ...period, available_sov_pct: shares[index] };
    service.on(`GET /screens/${id}/availability`, { body: available });
    service.on(`GET /screens/${id}`, { body: data[index] });
  }
}

/** Lists campaign requests with their statuses. */
export function requests(
  service: ScriptedService,
  ids: readonly unknown[],
  ...statuses: readonly (string | null)[]
): void {
  const data = ids.map((id, index) => ({ id, status: statuses[index], industry: 'retail' }));
  service.on('GET /campaign-requests', { body: { data } });
  for (const [index, id] of ids.entries()) {
    service.on(`GET /campaign-requests/${id}`, { body: data[index] });
  }
}
