import { tokenEndpoint } from '@screen-advertising/core/contract';
import { type Scene, serviceLimit } from './scene.ts';

/** What must hold after every command, whatever it was. */
export function checkPromises(scene: Scene): void {
  if (scene.isLimitExceeded) throw new Error('The service had to refuse a request over its limit.');
  const times = (isToken: boolean): number[] =>
    scene.arrivals.filter((arrival) => arrival.isToken === isToken).map(({ at }) => at);
  checkWindow('requests', times(false), serviceLimit.requests);
  checkWindow('token requests', times(true), tokenEndpoint.requestsPerMinute);
  const tokens = times(true).length;
  if (tokens > scene.tokensNeeded) {
    throw new Error(`${tokens} tokens were asked for where ${scene.tokensNeeded} were needed.`);
  }
  for (const lead of new Set(scene.sandbox.coupons.list().map(({ lead_email }) => lead_email))) {
    const active = scene.sandbox.coupons
      .list()
      .filter((coupon) => coupon.lead_email === lead && !coupon.revoked_at && !coupon.redeemed_at);
    if (active.length > 1) throw new Error(`${lead} has ${active.length} active coupons.`);
  }
}

function checkWindow(what: string, times: readonly number[], most: number): void {
  times.forEach((at, index) => {
    const before = times[index - most];
    if (before !== undefined && at - before < serviceLimit.perMs) {
      throw new Error(`More than ${most} ${what} in a window of 60 s.`);
    }
  });
}
