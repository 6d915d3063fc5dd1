import { apiKey, createClient, nodeTransport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';

const transports = {
  default: () => undefined,
  node: nodeTransport,
  fetch: fetchTransport,
  undici: undiciTransport,
};

const [, , baseUrl = '', name = 'default'] = process.argv;
const transport = transports[name as keyof typeof transports]();
const auth = apiKey('svc_key');
const client = createClient({ baseUrl, auth, retry: false, ...(transport && { transport }) });
await client.screens.get({ screenId: 'a' });
await client.landingLinks.create({ utm_campaign: 'b' });
process.exit();
