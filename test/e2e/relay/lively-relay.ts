import { signWebhook } from '@screen-advertising/core';
import type { Relay } from '@screen-advertising/relay';

const secret = 'signing-secret-of-the-access';

/** Something of everything: events of two kinds, delivered, dead and waiting, and a subscription that is off. */
export async function livelyRelay(
  relay: Relay,
  url: string,
  targets: { readonly works: string; readonly fails: string; readonly gone: string },
  /** How many more events arrived in each hour before. */
  history: readonly number[] = [],
): Promise<{ readonly token: string }> {
  await relay.sources.add('main', secret);
  await relay.sources.add('reseller', 'signing-secret-of-another-access');
  const { token } = await relay.tokens.create('main', 'n8n');
  await relay.tokens.create('main', 'Zapier');
  await relay.tokens.create('main', 'former agency');
  await relay.tokens.revoke('main', 'former agency');

  const subscribe = (target_url: string, events: readonly string[], name: string) =>
    fetch(`${url}/api/v1/subscriptions`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ target_url, events, name }),
    });
  const deliver = (id: string, type: string, data: object) =>
    deliverEvent(relay, url, id, type, data);

  await subscribe(targets.works, ['campaign.paid', 'user.registered'], 'Invoices in n8n');
  for (const [hour, count] of history.entries()) {
    for (let number = 0; number < count; number += 1) {
      await deliver(`cmp_${hour}_${number}`, 'campaign.paid', { campaign_id: `cmp_${hour}` });
    }
    await relay.clock.advance(3_600_000);
  }
  await subscribe(targets.gone, ['user.registered'], 'Old landing page');
  await deliver('evt_0001', 'user.registered', { user_id: 'usr_0042', referral_code: 'SPRING' });
  await relay.clock.advance(40_000);
  await subscribe(targets.fails, ['campaign.paid', 'coupon.redeemed'], 'Zap: tell the sales team');
  await deliver('evt_0002', 'campaign.paid', { campaign_id: 'cmp_0007', amount_cents: 129_000 });
  await relay.clock.advance(95_000);
  await deliver('evt_0003', 'coupon.redeemed', { code: 'BVCC-DEMO', user_id: 'usr_0042' });
  await relay.clock.advance(10_000);
  await deliver('evt_0004', 'campaign.paid', { campaign_id: 'cmp_0008', amount_cents: 45_000 });
  await relay.clock.advance(0);
  return { token };
}

/** As the service does. */
export async function deliverEvent(
  relay: Relay,
  url: string,
  id: string,
  type: string,
  data: object,
): Promise<void> {
  const body = JSON.stringify({ id, type, data });
  const timestamp = Math.floor(relay.clock.now() / 1000);
  await fetch(`${url}/in/main`, {
    method: 'POST',
    headers: { 'x-service-signature': signWebhook({ body, secret, timestamp }) },
    body,
  });
}
