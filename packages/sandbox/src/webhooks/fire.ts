import { type EventName, events } from '@screen-advertising/core';
import * as z from 'zod';
import { accessById } from '../access/access.ts';
import { ProblemResponseError, parseWithSchema } from '../http/problem-response-error.ts';
import { type SandboxContext, timestamp } from '../state/context.ts';
import { findCoupon, firstActiveCode, redeemCoupon } from '../state/coupon-lifecycle.ts';
import {
  campaignRequestSchema,
  findUser,
  type RecordEditor,
  userSchema,
} from '../state/records.ts';
import { type Delivery, nonEmptyText } from '../state/stored-records.ts';
import type { Deliveries } from './webhooks.ts';

export interface FireOptions {
  /**
   * ID of the access that owns the event. Default: the owner of the coupon, otherwise the first
   * access.
   */
  readonly access?: string | undefined;
}

/** The parts of the sandbox that an event needs. */
interface FireContext {
  readonly context: SandboxContext;
  readonly records: RecordEditor;
  readonly deliveries: Pick<Deliveries, 'send'>;
}

/** Fires an event: changes its record, then delivers it to the webhook addresses of the access. */
export async function fireSandboxEvent(
  { context, records, deliveries }: FireContext,
  name: EventName,
  data: Readonly<Record<string, unknown>> = {},
  options: FireOptions = {},
): Promise<Delivery[]> {
  checkName(name);
  const { id } = accessById(context.accesses, options.access ?? ownerOf(context, name, data));
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

/** Identifies the coupon of a redemption. */
const redemptionSchema = z.object({ code: nonEmptyText.optional() });

type Data = Record<string, unknown>;

/** Applies an event to the records and returns the event's fields. */
type Effect = (
  context: SandboxContext,
  accessId: string,
  data: Data,
  records: RecordEditor,
) => Data;

/**
 * The effect of every event. The compiler asks for a missing one. Fields for a record are validated
 * as when a record is added; other fields are only delivered.
 */
const eventEffects: Record<EventName, Effect> = {
  'user.registered'(context, accessId, data, { users }) {
    const fields = parseWithSchema(userSchema.strip(), data);
    const known = findUser(context.store, fields);
    if (known && (known.referredBy ?? accessId) !== accessId) {
      throw new ProblemResponseError(
        'conflict',
        `The user ${known.user_id} was referred by another access.`,
      );
    }
    const { user_id, email, registered_at } = users.add({ ...fields, referredBy: accessId });
    return { user_id, email, registered_at };
  },

  'campaign.paid'(context, accessId, data) {
    const users = [...context.store.users.values()];
    const user =
      data.user_id === undefined
        ? users.find(({ referredBy }) => referredBy === accessId)
        : users.find(({ user_id }) => user_id === data.user_id);
    if (user) user.has_bookings = true;
    const { sample } = events['campaign.paid'];
    return {
      campaign_id: context.store.nextId('cmp'),
      user_id: user?.user_id ?? sample.user_id,
      amount_cents: sample.amount_cents,
      paid_at: timestamp(context),
    };
  },

  'coupon.redeemed'(context, accessId, data) {
    const code = parseWithSchema(redemptionSchema, data).code ?? firstActiveCode(context, accessId);
    if (code === undefined) return sampleRedemption(context, accessId);
    const coupon = findCoupon(context.store, code);
    if (coupon.accessId !== accessId) {
      throw new ProblemResponseError('conflict', `The coupon ${code} belongs to another access.`);
    }
    redeemCoupon(context, coupon);
    return { code, lead_email: coupon.lead_email, redeemed_at: coupon.redeemed_at };
  },

  'campaign_request.created'(_context, accessId, data, { campaignRequests }) {
    const fields = parseWithSchema(campaignRequestSchema.strip(), data);
    const { id, industry, email, created_at } = campaignRequests.add({ ...fields, accessId });
    return { id, industry, email, created_at };
  },

  'campaign_request.rejected'(_context, accessId, data, { campaignRequests }) {
    const fields = parseWithSchema(campaignRequestSchema.strip(), data);
    const request = campaignRequests.add({ ...fields, accessId, status: 'rejected' });
    const { id, status, industry, email, updated_at } = request;
    return { id, status, industry, email, rejected_at: updated_at };
  },
};

/**
 * A sample, for users who only want to see a delivery. It must not claim that a real coupon was
 * redeemed.
 */
function sampleRedemption(context: SandboxContext, accessId: string): Data {
  const { sample } = events['coupon.redeemed'];
  if (context.store.coupons.has(String(sample.code))) {
    throw new ProblemResponseError(
      'conflict',
      `The access ${accessId} has no active coupon to redeem. Create one with POST /coupons first.`,
    );
  }
  return { ...sample, redeemed_at: timestamp(context) };
}
