import { type EventName, events } from '@screen-advertising/core';
import * as z from 'zod';
import { type SandboxContext, timestamp } from '../context.ts';
import { check, ProblemResponseError } from '../problems/problem-response-error.ts';
import { filled } from '../state/field-types.ts';
import { findCoupon, firstActiveCode, redeemCoupon } from './coupon-lifecycle.ts';
import { campaignRequestFields, findUser, type RecordEditor, userFields } from './records.ts';

/** Identifies the coupon of a redemption. */
const redemptionFields = z.object({ code: filled.optional() });

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
export const eventEffects: Record<EventName, Effect> = {
  'user.registered'(context, accessId, data, { users }) {
    const fields = check(userFields.strip(), data);
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
    const code = check(redemptionFields, data).code ?? firstActiveCode(context, accessId);
    if (code === undefined) return sampleRedemption(context, accessId);
    const coupon = findCoupon(context.store, code);
    if (coupon.accessId !== accessId) {
      throw new ProblemResponseError('conflict', `The coupon ${code} belongs to another access.`);
    }
    redeemCoupon(context, coupon);
    return { code, lead_email: coupon.lead_email, redeemed_at: coupon.redeemed_at };
  },

  'campaign_request.created'(_context, accessId, data, { campaignRequests }) {
    const fields = check(campaignRequestFields.strip(), data);
    const { id, industry, email, created_at } = campaignRequests.add({ ...fields, accessId });
    return { id, industry, email, created_at };
  },

  'campaign_request.rejected'(_context, accessId, data, { campaignRequests }) {
    const fields = check(campaignRequestFields.strip(), data);
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
