import { type EventName, events } from '@screen-advertising/core';
import { accessOf } from '../accesses/access.ts';
import type { SandboxContext } from '../context.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { Delivery } from '../state/stored-records.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import { eventEffects } from './event-effects.ts';
import type { RecordEditor } from './records.ts';

export interface FireOptions {
  /**
   * ID of the access that owns the event. Default: the owner of the coupon, otherwise the first
   * access.
   */
  readonly access?: string | undefined;
}

/** What an event changes, and who sends it. */
interface Surroundings {
  readonly context: SandboxContext;
  readonly records: RecordEditor;
  readonly deliveries: Pick<Deliveries, 'send'>;
}

/** Fires an event: changes its record, then delivers it to the webhook addresses of the access. */
export async function fire(
  { context, records, deliveries }: Surroundings,
  name: EventName,
  data: Readonly<Record<string, unknown>> = {},
  options: FireOptions = {},
): Promise<Delivery[]> {
  checkName(name);
  const { id } = accessOf(context.accesses, options.access ?? ownerOf(context, name, data));
  const fields = eventEffects[name](context, id, { ...data }, records);
  context.changed();
  return deliveries.send(id, name, { ...fields, ...data });
}

function checkName(name: string): void {
  if (Object.hasOwn(events, name)) return;
  const known = Object.keys(events).join(', ');
  throw new ProblemResponseError(
    'invalid-parameter',
    `type ${name} is not an event. Events: ${known}.`,
  );
}

function ownerOf(
  { store }: SandboxContext,
  name: EventName,
  { code, id }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (name === 'coupon.redeemed') return store.coupons.get(String(code))?.accessId;
  return store.campaignRequests.get(String(id))?.accessId;
}
