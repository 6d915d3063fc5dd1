import type { EventName } from '@screen-advertising/core';
import type { PartnerAccess, Sandbox } from '@screen-advertising/sandbox';

/** What each step of the automation gave, in their order. */
export interface AutomationRecords {
  readonly rejection: unknown;
  readonly user: unknown;
  readonly coupon: unknown;
  readonly redemption: unknown;
  readonly link: unknown;
}

/** Step two and three: somebody whose campaign request was rejected gets a coupon. */
export interface AfterRejection {
  readonly event: unknown;
  readonly user: unknown;
  readonly coupon: unknown;
}

/** Step five: who redeems the coupon is led to a page that says thank you. */
export interface AfterRedemption {
  readonly event: unknown;
  readonly link: unknown;
}

/** An automation that has its address registered and waits for an event. */
export interface Waiting<Result> {
  /** Where the service delivers the event. */
  readonly url: string;
  /** What the automation gave, once an event has started it. */
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

/** What the automation says in its own words, the same on every platform. */
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
