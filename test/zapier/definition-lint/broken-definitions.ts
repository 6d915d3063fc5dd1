import type { Subject } from './index.ts';

/** A definition that tests may break, whatever its types say. */
export type Loose = { [member: string]: Loose } & Loose[];

const createCoupon = (definition: Loose) => at(definition, 'creates', 'create_coupon');
const throughRelay = (definition: Loose) =>
  at(definition, 'triggers', 'coupon_redeemed_through_relay');
const availability = (definition: Loose) => at(definition, 'searches', 'get_screen_availability');

function at(value: Loose, ...path: (string | number)[]): Loose {
  return path.reduce<Loose>((inner, step) => inner[step as string] as Loose, value);
}

function set(value: Loose, ...path: unknown[]): void {
  const to = path.pop();
  const last = path.pop() as string;
  Object.assign(at(value, ...(path as string[])), { [last]: to });
}

interface Broken {
  readonly place: string;
  /** What differs in addition to the definition. */
  readonly with?: Partial<Subject>;
  breakIt(definition: Loose): void;
}

/** For each rule, one definition that breaks it, and the place that the rule must name. */
export const broken: Record<string, Broken> = {
  D001: {
    place: 'creates.create_coupon.api_key',
    breakIt: (d) => set(createCoupon(d), 'operation', 'inputFields', 0, 'key', 'api_key'),
  },
  D002: {
    place: 'authentication.base_url',
    breakIt: (d) => set(d, 'authentication', 'fields', 0, 'helpText', 'Ask somebody.'),
  },
  D003: {
    place: 'authentication.connectionLabel',
    breakIt: (d) => set(d, 'authentication', 'connectionLabel', '{{client_secret}}'),
  },
  D004: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'dynamic', undefined),
  },
  D005: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) =>
      set(availability(d), 'operation', 'inputFields', 0, 'dynamic', 'screen_list.id.title'),
  },
  D006: {
    place: 'triggers.coupon_redeemed_through_relay',
    with: { isPublic: true },
    breakIt: (d) => set(throughRelay(d), 'operation', 'performList', undefined),
  },
  D007: {
    place: 'creates.create_coupon.discount_type',
    breakIt: (d) =>
      set(
        createCoupon(d),
        'operation',
        'inputFields',
        0,
        'helpText',
        'See [it](http://a.example).',
      ),
  },
  D008: {
    place: 'creates.create_coupon.discount_type',
    breakIt: (d) =>
      set(createCoupon(d), 'operation', 'inputFields', 0, 'helpText', 'A <b>type</b>.'),
  },
  D009: {
    place: 'searches.get_screen_availability',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', []),
  },
  D010: {
    place: 'creates.create_coupon.code',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', 'code', undefined),
  },
  D011: {
    place: 'creates.create_coupon.discount_type',
    breakIt: (d) =>
      set(createCoupon(d), 'operation', 'inputFields', 0, 'helpText', 'Enter the discount type.'),
  },
  D012: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', {}),
  },
  D013: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'search', 'find_it.id'),
  },
  D014: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'list', true),
  },
  D015: {
    place: 'searchOrCreates.find_coupon',
    breakIt: (d) => set(d, 'searchOrCreates', 'find_coupon', 'create', 'make_coupon'),
  },
  D025: {
    place: 'creates.create_coupon.code',
    breakIt: (d) =>
      set(createCoupon(d), 'operation', 'inputFields', 3, 'helpText', '[x](javascript:alert(1))'),
  },
  D026: {
    place: 'authentication.base_url http://service.example/api/v1',
    with: { accepts: () => true },
    breakIt: () => undefined,
  },
  D027: {
    place: 'platformVersion',
    breakIt: (d) => set(d, 'platformVersion', '18.0.0'),
  },
  D028: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'operation', 'cleanInputData', true),
  },
  E001: {
    place: 'process.env.BASE_URL',
    with: { code: 'fetch(process.env.BASE_URL);' },
    breakIt: () => undefined,
  },
  search: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'search', undefined),
  },
  find: {
    place: 'searches.get_screen_availability',
    breakIt: (d) => set(availability(d), 'display', 'label', 'Get Screen Availability'),
  },
  noun: {
    place: 'triggers.coupon_redeemed',
    breakIt: (d) => set(d, 'triggers', 'coupon_redeemed', 'noun', 'Coupon Redeemed'),
  },
  alike: {
    place: 'triggers.new_campaign_request',
    breakIt: (d) =>
      set(
        d,
        'triggers',
        'new_campaign_request',
        'display',
        'description',
        at(d, 'triggers', 'campaign_request_created', 'display').description,
      ),
  },
  output: {
    place: 'creates.create_coupon.code',
    breakIt: (d) => set(createCoupon(d), 'operation', 'outputFields', 1, 'label', 'Code'),
  },
  unit: {
    place: 'searches.get_screen_availability.available_sov_pct',
    breakIt: (d) => set(availability(d), 'operation', 'outputFields', 5, 'label', 'Available'),
  },
  undo: {
    place: 'creates.revoke_coupon',
    breakIt: (d) => set(d, 'creates', 'revoke_coupon', 'display', 'description', 'Revokes it.'),
  },
  open: {
    place: 'creates.create_coupon.code',
    breakIt: (d) =>
      set(
        createCoupon(d),
        'operation',
        'inputFields',
        3,
        'helpText',
        'The service does not publish it.',
      ),
  },
  D016: {
    place: 'triggers.coupon_redeemed',
    breakIt: (d) => {
      set(d, 'creates', {});
      set(d, 'searches', {});
      set(d, 'triggers', { coupon_redeemed: at(d, 'triggers', 'coupon_redeemed') });
    },
  },
  D017: {
    place: 'triggers.coupon_redeemed_through_relay',
    with: { isPublic: true },
    breakIt: (d) => set(throughRelay(d), 'operation', 'performUnsubscribe', undefined),
  },
  D018: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'display', 'label', 'Create coupon'),
  },
  D021: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'display', 'description', 'Create a coupon'),
  },
  D022: {
    place: 'creates.create_coupon',
    breakIt: (d) => set(createCoupon(d), 'operation', 'inputFields', ['$func$2$f$']),
  },
  D023: {
    place: 'searches.find_screen.created_at',
    breakIt: (d) =>
      set(d, 'searches', 'find_screen', 'operation', 'sample', 'created_at', '2027-03-01 09:30'),
  },
  D024: {
    place: 'creates.create_coupon.discount_value',
    breakIt: (d) => set(createCoupon(d), 'operation', 'sample', 'discount_value', '25'),
  },
  label: {
    place: 'searches.get_screen_availability.screenId',
    breakIt: (d) => set(availability(d), 'operation', 'inputFields', 0, 'label', 'Screen ID'),
  },
};
