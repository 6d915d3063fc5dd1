import * as z from 'zod';
import { filled } from '../state/field-types.ts';
import { storedCampaignRequest, storedScreen, storedUser } from '../state/stored-records.ts';

const email = z.email('must be an email address such as lead@example.com');

/** Missing members keep their values, or get the seed's defaults. */
export const screenFields = storedScreen.omit({ position: true }).partial();

export const userFields = storedUser.extend({ email }).partial();

export const campaignRequestFields = storedCampaignRequest
  .omit({ position: true, updated_at: true })
  .extend({ email })
  .partial();

/** From the event of a redemption: identifies the coupon. */
export const redemptionFields = z.object({ code: filled.optional() });

export type ScreenFields = Readonly<z.output<typeof screenFields>>;
export type UserFields = Readonly<z.output<typeof userFields>>;
export type CampaignRequestFields = Readonly<z.output<typeof campaignRequestFields>>;
