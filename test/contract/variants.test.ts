import { describe, expect, it } from '@jest/globals';
import {
  apiKey,
  type Client,
  createClient,
  type EventName,
  operations,
  verifyWebhook,
} from '@screen-advertising/core';
import type { AssumptionVariants } from '@screen-advertising/core/contract';
import { undiciTransport } from '@screen-advertising/core/undici';
import { eventKey } from '@screen-advertising/core/webhooks';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { closeAfterTest } from '../support/closing.ts';

/** A client of a service that responds in these variants, which the specification leaves open. */
async function open(variants: Partial<AssumptionVariants>) {
  const service = await start({ screens: 240, variants });
  const { baseUrl, full } = service;
  const transport = undiciTransport();
  closeAfterTest(() => transport.close());
  const client = createClient({ baseUrl, auth: apiKey(full.apiKey), transport });
  return { ...service, client };
}

async function all(client: Client, name: 'screen.list' | 'campaignRequest.list') {
  const ids: unknown[] = [];
  for await (const { id } of client.items(operations[name])) ids.push(id);
  return ids;
}

describe.each<[Partial<AssumptionVariants>]>([
  [{ singleRecord: 'bare', userLookup: 'data', campaignRequestList: 'paginated' }],
  [{ singleRecord: 'data', userLookup: 'data-with-exists', campaignRequestList: 'data' }],
  [{ userLookup: 'bare', campaignRequestList: 'bare' }],
  [{ lastCursor: 'absent', revokeAnswer: 'empty' }],
  [{ lastCursor: 'empty', refusedCredentials: '400' }],
  [{ lastCursor: 'repeated', invalidParameter: '422' }],
])('a service with %j', (variants) => {
  it('has each screen once, and shows one by its ID with its availability', async () => {
    const { client, sandbox } = await open(variants);
    const bookable = sandbox.screens.list().filter((screen) => screen.bookable);
    expect(bookable.length).toBeGreaterThan(200);
    expect(await all(client, 'screen.list')).toEqual(bookable.map(({ id }) => id));
    const screenId = 'scr_berlin_0001';
    expect(await client.screens.get({ screenId })).toMatchObject({ id: screenId, city: 'Berlin' });
    const period = { from: '2027-03-01', to: '2027-03-31' };
    expect(await client.screens.availability({ screenId, ...period })).toMatchObject({
      screen_id: screenId,
      ...period,
    });
  });

  it('creates, shows and revokes a coupon', async () => {
    const { client } = await open(variants);
    const fields = { discount_type: 'percent', discount_value: 10 } as const;
    const coupon = { ...fields, lead_email: 'lead@example.com', code: 'SPRING-25' };
    expect(await client.coupons.create(coupon)).toMatchObject(coupon);
    expect(await client.coupons.revoke({ code: 'SPRING-25' })).toMatchObject({ code: 'SPRING-25' });
    expect(await client.coupons.get({ code: 'SPRING-25' })).toMatchObject({
      ...coupon,
      status: 'revoked',
    });
  });

  it('knows a user, and says when it does not', async () => {
    const { client } = await open(variants);
    expect(await client.users.lookup({ email: 'lead@example.com' })).toMatchObject({
      user_id: 'usr_0001',
    });
    expect(await client.users.lookup({ email: 'nobody@example.com' })).toEqual({ exists: false });
  });

  it('lists the campaign requests of the access, each once, and shows one by its ID', async () => {
    const { client, sandbox, full } = await open(variants);
    const own = sandbox.campaignRequests.list().filter(({ accessId }) => accessId === full.id);
    const ids = await all(client, 'campaignRequest.list');
    expect(ids.toSorted()).toEqual(own.map(({ id }) => id).toSorted());
    expect(await client.campaignRequests.get({ id: 'cr_0001' })).toMatchObject({ id: 'cr_0001' });
  });

  it('creates a landing link', async () => {
    const { client } = await open(variants);
    const { url } = await client.landingLinks.create({ utm_campaign: 'spring' });
    expect(new URL(url).searchParams.get('utm_campaign')).toBe('spring');
  });
});

describe.each<[Partial<AssumptionVariants>]>([
  [{}],
  [{ eventName: 'event', eventId: 'event_id', eventData: 'payload' }],
  [{ eventName: 'event_type', eventId: 'delivery_id', eventData: 'flat' }],
  [{ eventName: 'event_name', eventId: 'absent' }],
  [{ eventName: 'topic', eventId: 'absent', eventData: 'flat' }],
])('an event of a service with %j', (variants) => {
  async function listening() {
    const { sandbox, full } = await open(variants);
    const receiver = await startReceiver([500]);
    sandbox.webhooks.add({ url: receiver.url });
    const verified = () =>
      receiver.arrivals.map(({ body, headers }) => {
        const signature = String(headers['x-service-signature']);
        const secrets = [full.signingSecret];
        const now = () => sandbox.clock.now();
        return { body, event: verifyWebhook({ body, signature, secrets, now }) };
      });
    return { sandbox, verified };
  }

  it.each<[EventName, string]>([
    ['user.registered', 'user_id'],
    ['campaign.paid', 'amount_cents'],
    ['coupon.redeemed', 'code'],
    ['campaign_request.created', 'industry'],
    ['campaign_request.rejected', 'industry'],
  ])('%s is verified, and understood with its %s', async (name, field) => {
    const { sandbox, verified } = await listening();
    await sandbox.fire(name);
    const [{ event } = {}] = verified();
    expect(event).toMatchObject({ type: name, data: { [field]: expect.anything() } });
  });

  it('is recognized when it is delivered again, and another one is new', async () => {
    const { sandbox, verified } = await listening();
    await sandbox.fire('campaign.paid');
    await sandbox.clock.advance(1000);
    await sandbox.fire('user.registered');
    const [first, again, other] = verified().map(({ event, body }) => eventKey(event, body));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });
});
