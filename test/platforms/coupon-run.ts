/**
 * Creates the coupon of a lead on one platform, and prints what that says. A test runs this as a
 * separate process, and kills it at a moment of its choice.
 */
import { faces } from './coupon-faces.ts';

const {
  FACE = '',
  SCREEN_ADVERTISING_BASE_URL: baseUrl = '',
  SCREEN_ADVERTISING_API_KEY: apiKey = '',
  SCREEN_ADVERTISING_COUPON_KEY: key = '',
} = process.env;
const face = await faces[FACE as keyof typeof faces]({ baseUrl, apiKey }, key);
const told = await face.create({
  discount_type: 'percent',
  discount_value: 10,
  lead_email: 'lead@example.com',
});
process.stdout.write(JSON.stringify(told), () => process.exit());
