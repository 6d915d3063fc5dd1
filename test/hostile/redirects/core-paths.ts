import {
  type Auth,
  apiKey,
  clientCredentials,
  createClient,
  nodeTransport,
  type Transport,
} from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';
import { type Path, type Paths, secrets, unusedAccess } from './path.ts';

/** Programs, and the command line. */
export async function corePaths(): Promise<Paths> {
  const transport = undiciTransport();
  return {
    paths: [
      ...pathsOver('undici', transport),
      ...pathsOver('node:http', nodeTransport()),
      ...pathsOver('fetch', fetchTransport()),
    ],
    close: () => transport.close(),
  };
}

function pathsOver(name: string, transport: Transport): Path[] {
  const call = (baseUrl: string, auth: Auth): Promise<unknown> => {
    const client = createClient({ baseUrl, auth, transport, retry: false, rateLimit: false });
    return client.coupons.create({
      discount_type: 'free_days',
      discount_value: 1,
      lead_email: 'lead@example.com',
    });
  };
  return [
    { name: `a call over ${name}`, send: (baseUrl) => call(baseUrl, apiKey(secrets.key)) },
    {
      name: `a token over ${name}`,
      send: (baseUrl) => call(baseUrl, clientCredentials(unusedAccess())),
    },
  ];
}
