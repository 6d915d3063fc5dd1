import {
  type Client,
  clientCredentials,
  createClient,
  type Operation,
  operations,
} from '@screen-advertising/core';
import { tokenEndpoint } from '@screen-advertising/core/contract';
import { requestToken } from '@screen-advertising/core/platform';
import { undiciTransport } from '@screen-advertising/core/undici';
import type { PartnerAccess } from '@screen-advertising/sandbox';
import type * as z from 'zod';
import { exampleInput } from '../../../test/support/example-input.ts';
import type { Narrator } from './narrator.ts';

const from = '2027-03-01';
const to = '2027-03-07';

/** Calls every operation of the interface. */
export async function walkOperations(
  narrator: Narrator,
  baseUrl: string,
  access: PartnerAccess,
): Promise<void> {
  const transport = undiciTransport();
  try {
    const { clientId, clientSecret } = access;
    const auth = clientCredentials({ clientId, clientSecret });
    narrator.chapter('Core client: every operation, with client ID and client secret');
    await narrator.step(
      `Access token, ${tokenEndpoint.method} ${tokenEndpoint.path}`,
      () => requestToken({ baseUrl, auth, transport, timeoutMs: 10_000 }),
      ({ expiresAt }) => `valid for ${Math.round((expiresAt - Date.now()) / 1000)} seconds`,
    );
    await callEach(narrator, createClient({ baseUrl, auth, transport }));
  } finally {
    await transport.close();
  }
}

async function callEach(narrator: Narrator, client: Client): Promise<void> {
  type Result<Op extends Operation> = Awaited<ReturnType<typeof client.call<Op>>>;
  const told = new Set<string>();
  const step = <Op extends Operation>(
    operation: Op,
    input: z.input<Op['input']>,
    tell: (result: Result<Op>) => string,
  ) => {
    told.add(operation.title);
    const call = () => client.call(operation, input) as Promise<Result<Op>>;
    return narrator.step(operation.title, call, tell);
  };

  const screens = await step(
    operations['screen.list'],
    { country: 'DE', limit: 1 },
    ({ data, pagination }) => `${pagination.total_count} in Germany, first ${data[0]?.name}`,
  );
  const screenId = screens.data[0]?.id ?? '';
  await step(operations['screen.get'], { screenId }, (screen) => `${screen.name}, ${screen.city}`);
  await step(
    operations['screen.availability'],
    { screenId, from, to },
    (share) => `${share.available_sov_pct} % of at most ${share.max_sov_pct} %, ${from} to ${to}`,
  );
  const coupon = {
    discount_type: 'percent',
    discount_value: 15,
    lead_email: 'walk@example.com',
  } as const;
  const created = await step(
    operations['coupon.create'],
    coupon,
    ({ code, lead_email }) => `${code} for ${lead_email}`,
  );
  const code = created.code ?? '';
  for (const operation of [operations['coupon.get'], operations['coupon.revoke']]) {
    await step(operation, { code }, ({ status }) => `${code} is ${status}`);
  }
  const email = 'nobody@example.com';
  await step(operations['user.lookup'], { email }, ({ exists }) => `${email} exists: ${exists}`);
  await step(operations['landingLink.create'], { utm_campaign: 'spring' }, ({ url }) => url);
  const requests = await step(
    operations['campaignRequest.list'],
    { status: 'rejected' },
    ({ data }) => `${data.length} rejected requests`,
  );
  await step(
    operations['campaignRequest.get'],
    { id: requests.data[0]?.id ?? '' },
    ({ id, status, industry }) => `${id}, ${industry}, ${status}`,
  );
  const others = Object.values<Operation>(operations).filter(({ title }) => !told.has(title));
  for (const operation of others) {
    await step(operation, exampleInput(operation), () => operation.description);
  }
}
