import type { EventName } from '@screen-advertising/core';
import type { PartnerAccess, Sandbox } from '@screen-advertising/sandbox';

/** The result of each step of the automation, in order. */
export interface AutomationRecords {
  readonly rejection: unknown;
  readonly user: unknown;
  readonly coupon: unknown;
  readonly redemption: unknown;
  readonly link: unknown;
}

/** Steps two and three: a user whose campaign request was rejected gets a coupon. */
export interface AfterRejection {
  readonly event: unknown;
  readonly user: unknown;
  readonly coupon: unknown;
}

/** Step five: a user who redeems the coupon gets a thank-you page. */
export interface AfterRedemption {
  readonly event: unknown;
  readonly link: unknown;
}

/** An automation whose address is registered, waiting for an event. */
export interface Waiting<Result> {
  /** Where the service delivers the event. */
  readonly url: string;
  /** The results of the automation, once an event has started it. */
  readonly result: Promise<Result>;
}

/** One way to build the automation: n8n, Zapier, or a program on the bare client. */
export interface Platform {
  readonly name: string;
  afterRejection(): Promise<Waiting<AfterRejection>>;
  afterRedemption(): Promise<Waiting<AfterRedemption>>;
  close(): Promise<void>;
}

export type OpenPlatform = (baseUrl: string, access: PartnerAccess) => Promise<Platform>;

/** The automation in neutral words, the same on every platform. */
export const wording = {
  discount_type: 'percent',
  discount_value: 15,
  code: 'COME-BACK-15',
  utm_campaign: 'win-back',
} as const;

/** Events that start the automation. */
export const startedBy = {
  rejection: 'campaign_request.rejected',
  redemption: 'coupon.redeemed',
} as const satisfies Record<string, EventName>;

/**
 * A campaign request is rejected; the user is looked up and gets a coupon; the coupon is redeemed;
 * a landing link is created.
 */
export async function runAutomation(
  sandbox: Sandbox,
  platform: Platform,
): Promise<AutomationRecords> {
  const [request] = sandbox.campaignRequests.list().filter(({ status }) => status !== 'rejected');
  if (!request) throw new Error('The sandbox holds no campaign request that could be rejected.');
  const rejected = await platform.afterRejection();
  const {
    event: rejection,
    user,
    coupon,
  } = await deliver(sandbox, rejected, () => sandbox.fire(startedBy.rejection, { id: request.id }));
  const redeemed = await platform.afterRedemption();
  const { event: redemption, link } = await deliver(sandbox, redeemed, () =>
    sandbox.coupons.redeem(wording.code),
  );
  return { rejection, user, coupon, redemption, link };
}

async function deliver<Result>(
  sandbox: Sandbox,
  { url, result }: Waiting<Result>,
  happen: () => Promise<unknown>,
): Promise<Result> {
  const webhook = sandbox.webhooks.add({ url });
  try {
    await happen();
    return await result;
  } finally {
    sandbox.webhooks.remove(webhook.id);
  }
}
