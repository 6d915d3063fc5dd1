/**
 * A program that creates one coupon with a code of its own, as automations do. It is run as a
 * process of its own, which a test ends at a moment of its choice.
 */
import { apiKey, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';

const { BASE_URL = '', API_KEY = '', CODE = '' } = process.env;
const transport = undiciTransport();
const client = createClient({ baseUrl: BASE_URL, auth: apiKey(API_KEY), transport });
const coupon = await client.coupons.create(
  { discount_type: 'free_days', discount_value: 3, lead_email: 'lead@example.com', code: CODE },
  { adoptExisting: true },
);
await transport.close();
process.stdout.write(JSON.stringify(coupon));
