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
import { exampleInput } from '../../../test/support/example-input.ts';
import type { Narrator } from './narrator.ts';

const from = '2027-03-01';
const to = '2027-03-07';

const euros = (cents: unknown): string => `${(Number(cents) / 100).toFixed(2)} EUR`;

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
  const told = new Set<string>();
  const step = <T>(
    operation: { title: string },
    work: () => Promise<T>,
    tell: (result: T) => string,
  ): Promise<T> => {
    told.add(operation.title);
    return narrator.step(operation.title, work, tell);
  };

  const screens = await step(
    operations['screen.list'],
    () => client.screens.list({ country: 'DE', limit: 1 }),
    ({ data, pagination }) => `${pagination.total_count} in Germany, first ${data[0]?.name}`,
  );
  const screenId = screens.data[0]?.id ?? '';
  await step(
    operations['screen.get'],
    () => client.screens.get({ screenId }),
    ({ name, city, price_per_day_cents }) =>
      `${name}, ${city}, ${euros(price_per_day_cents)} a day`,
  );
  await step(
    operations['screen.availability'],
    () => client.screens.availability({ screenId, from, to }),
    ({ available_sov_pct, max_sov_pct }) =>
      `${available_sov_pct} % of at most ${max_sov_pct} % available, ${from} to ${to}`,
  );
  const created = await step(
    operations['coupon.create'],
    () =>
      client.coupons.create({
        discount_type: 'percent',
        discount_value: 15,
        lead_email: 'walk@example.com',
      }),
    ({ code, discount_value, lead_email }) => `${code}, ${discount_value} % for ${lead_email}`,
  );
  const code = created.code ?? '';
  await step(
    operations['coupon.get'],
    () => client.coupons.get({ code }),
    (coupon) => `${coupon.code} is ${coupon.status}`,
  );
  await step(
    operations['coupon.revoke'],
    () => client.coupons.revoke({ code }),
    (coupon) => `${coupon.code} is ${coupon.status}`,
  );
  await step(
    operations['user.lookup'],
    () => client.users.lookup({ email: 'nobody@example.com' }),
    ({ exists }) => `nobody@example.com ${exists === false ? 'does not exist' : 'exists'}`,
  );
  await step(
    operations['landingLink.create'],
    () => client.landingLinks.create({ utm_campaign: 'spring' }),
    ({ url }) => url,
  );
  const requests = await step(
    operations['campaignRequest.list'],
    () => client.campaignRequests.list({ status: 'rejected' }),
    ({ data }) => `${data.length} rejected requests`,
  );
  await step(
    operations['campaignRequest.get'],
    () => client.campaignRequests.get({ id: requests.data[0]?.id ?? '' }),
    ({ id, status, industry }) => `${id}, ${industry}, ${status}`,
  );
  const others = Object.values<Operation>(operations).filter(({ title }) => !told.has(title));
  for (const operation of others) {
    await step(
      operation,
      () => client.call(operation, exampleInput(operation)),
      () => operation.description,
    );
  }
}
