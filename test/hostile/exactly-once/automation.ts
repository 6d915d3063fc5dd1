/**
 * Creates one coupon with its own code, as automations do. A test runs this as a separate process
 * and kills it at a moment of its choice.
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
