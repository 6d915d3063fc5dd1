import { apiKey, createClient } from '@screen-advertising/core';

const [, , baseUrl = ''] = process.argv;
const client = createClient({ baseUrl, auth: apiKey('svc_key'), retry: false });
await client.screens.get({ screenId: 'a' });
await client.landingLinks.create({ utm_campaign: 'b' });
