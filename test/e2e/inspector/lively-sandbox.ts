import type { Sandbox } from '@screen-advertising/sandbox';

/** Something of everything: coupons in several states, deliveries, refused calls, a fault. */
export async function livelySandbox(sandbox: Sandbox, webhookUrl: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${sandbox.accesses[0].apiKey}`,
    'content-type': 'application/json',
  };
  const call = (path: string, fields?: object) =>
    sandbox.fetch(`http://127.0.0.1/api/v1${path}`, {
      headers,
      ...(fields && { method: 'POST', body: JSON.stringify(fields) }),
    });
  const coupon = (code: string, discount_type: string, discount_value: number) =>
    call('/coupons', { code, discount_type, discount_value, lead_email: `${code}@example.com` });

  sandbox.webhooks.add({ url: webhookUrl });
  await coupon('BVCC-DEMO', 'percent', 20);
  await coupon('SPRING-25', 'percent', 25);
  await coupon('WELCOME', 'amount_cents', 2500);
  await coupon('BACK-AGAIN', 'free_days', 3);
  await call('/coupons/BACK-AGAIN/revoke', {});
  await coupon('TOO-MUCH', 'percent', 250);
  await call('/screens?city=Berlin&limit=5');
  await sandbox.coupons.redeem('SPRING-25');
  await sandbox.fire('user.registered');
  await sandbox.fire('campaign_request.rejected');
  // Not there: an attempt that fails, and one that is due.
  sandbox.webhooks.add({ url: 'http://127.0.0.1:1/hook', access: 'second' });
  await sandbox.fire('campaign.paid', {}, { access: 'second' });
  sandbox.faults.add({ fault: 'status', status: 503, method: 'GET', path: '/screens', times: 2 });
}
