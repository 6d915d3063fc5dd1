import * as z from 'zod';
import { filled } from '../state/field-types.ts';
import { storedCampaignRequest, storedScreen, storedUser } from '../state/stored-records.ts';

const email = z.email('must be an email address such as lead@example.com');

/** Members that are left out stay as they are, or as a seeded record has them. */
export const screenFields = storedScreen.omit({ position: true }).partial();

export const userFields = storedUser.extend({ email }).partial();

export const campaignRequestFields = storedCampaignRequest
  .omit({ position: true, updated_at: true })
  .extend({ email })
  .partial();

/** Of the event that tells of a redemption: which coupon it is. */
export const redemptionFields = z.object({ code: filled.optional() });
