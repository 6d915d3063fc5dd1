/**
 * The names of all webhook events (section 6). Apart from their texts, which a program that only
 * verifies deliveries need not carry.
 */
export const eventNames = [
  'user.registered',
  'campaign.paid',
  'coupon.redeemed',
  'campaign_request.created',
  'campaign_request.rejected',
] as const;

/** The name of an event, such as `coupon.redeemed`. */
export type EventName = (typeof eventNames)[number];

/** One kind of event that the service delivers to a webhook (section 6). */
export interface EventKind<Name extends string = string> {
  /** Such as `coupon.redeemed`. */
  readonly name: Name;
  /** Short label in Title Case. */
  readonly title: string;
  /** `Triggers when ... .` */
  readonly description: string;
  /** What `data` might look like; the contract does not show it. */
  readonly sample: Readonly<Record<string, unknown>>;
}

/** One kind of event, with what the fields of its sample mean. */
export interface DescribedEventKind<Name extends string = string> extends EventKind<Name> {
  /** What each field of the sample means. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Every webhook event by name (section 6). Add one here and everything picks it up. */
export const events = /* @__PURE__ */ eventKinds({
  'user.registered': {
    title: 'User Registered',
    description: 'Triggers when a user you referred registers.',
    sample: {
      user_id: 'usr_0001',
      email: 'lead@example.com',
      registered_at: '2027-03-01T09:30:00Z',
    },
    fields: {
      user_id: 'ID of the user.',
      email: 'Email address of the user.',
      registered_at: 'When the user registered.',
    },
  },
  'campaign.paid': {
    title: 'Campaign Paid',
    description: 'Triggers when a campaign is paid.',
    sample: {
      campaign_id: 'cmp_0001',
      user_id: 'usr_0001',
      amount_cents: 129900,
      paid_at: '2027-03-02T14:05:00Z',
    },
    fields: {
      campaign_id: 'ID of the campaign.',
      user_id: 'ID of the user who paid.',
      amount_cents: 'What was paid, in cents.',
      paid_at: 'When it was paid.',
    },
  },
  'coupon.redeemed': {
    title: 'Coupon Redeemed',
    description: 'Triggers when one of your coupons is redeemed.',
    sample: {
      code: 'SPRING-25',
      lead_email: 'lead@example.com',
      redeemed_at: '2027-03-02T14:04:00Z',
    },
    fields: {
      code: 'Code of the coupon.',
      lead_email: 'Email address of the lead.',
      redeemed_at: 'When the coupon was redeemed.',
    },
  },
  'campaign_request.created': {
    title: 'Campaign Request Created',
    description: 'Triggers when a campaign request is created.',
    sample: {
      id: 'cr_0001',
      industry: 'retail',
      email: 'lead@example.com',
      created_at: '2027-03-01T10:00:00Z',
    },
    fields: {
      id: 'ID of the campaign request.',
      industry: 'Industry of the campaign.',
      email: 'Email address of the person who asks.',
      created_at: 'When the request was created.',
    },
  },
  'campaign_request.rejected': {
    title: 'Campaign Request Rejected',
    description: 'Triggers when a campaign request is rejected.',
    sample: {
      id: 'cr_0001',
      status: 'rejected',
      industry: 'retail',
      email: 'lead@example.com',
      rejected_at: '2027-03-01T16:00:00Z',
    },
    fields: {
      id: 'ID of the campaign request.',
      status: 'Status of the request.',
      industry: 'Industry of the campaign.',
      email: 'Email address of the person who asked.',
      rejected_at: 'When the request was rejected.',
    },
  },
});

type Described = Omit<DescribedEventKind, 'name'>;
type EventKinds = { readonly [Name in EventName]: DescribedEventKind<Name> };

/** The kinds by name, each with its name. */
function eventKinds(kinds: Readonly<Record<EventName, Described>>): EventKinds {
  const named = Object.entries<Described>(kinds).map(([name, kind]) => [name, { name, ...kind }]);
  return Object.fromEntries(named) as EventKinds;
}
