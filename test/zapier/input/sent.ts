type Fields = Readonly<Record<string, unknown>>;

/** The input of a step and its first request; `nothing` when it refuses, or returns no record. */
export interface Row {
  readonly given: Fields;
  readonly sent: string;
}

export const kinds = [
  'padded',
  'blank',
  'null',
  'number as text',
  'text as number',
  'unknown field',
] as const;

type Rows = Readonly<Record<(typeof kinds)[number], Row>>;

export const nothing = 'nothing';

/** The same request for every kind of value, since all of them mean the same. */
const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };
const couponSent = (more: Fields = {}) => `POST /coupons ${JSON.stringify({ ...coupon, ...more })}`;

const march = { from: '2027-03-01', to: '2027-03-31' };
const availabilityOf = (id: string) =>
  `GET /screens/${id}/availability?from=2027-03-01&to=2027-03-31`;

const watch = { ...march, change: 'either', share_pct: 10 };

/** Steps that list screens, by the fields they share; `rest` holds their other required fields. */
const listing = (rest: Fields, limit: number): Rows => ({
  padded: {
    given: { ...rest, city: '\t Berlin \n' },
    sent: `GET /screens?city=Berlin&limit=${limit}`,
  },
  blank: {
    given: { ...rest, city: '   ', country: '', orientation: 'landscape' },
    sent: `GET /screens?orientation=landscape&limit=${limit}`,
  },
  null: {
    given: { ...rest, city: null, orientation: 'landscape' },
    sent: `GET /screens?orientation=landscape&limit=${limit}`,
  },
  'number as text': {
    given: { ...rest, city: '0042' },
    sent: `GET /screens?city=0042&limit=${limit}`,
  },
  'text as number': { given: { ...rest, city: 42 }, sent: `GET /screens?city=42&limit=${limit}` },
  'unknown field': {
    given: { ...rest, city: 'Berlin', colour: 'red' },
    sent: `GET /screens?city=Berlin&limit=${limit}`,
  },
});

const byCode = (send: (code: string) => string): Rows => ({
  padded: { given: { code: ' SPRING-25\u00a0' }, sent: send('SPRING-25') },
  blank: { given: { code: '   ' }, sent: nothing },
  null: { given: { code: null }, sent: nothing },
  'number as text': { given: { code: '0042' }, sent: send('0042') },
  'text as number': { given: { code: 42 }, sent: send('42') },
  'unknown field': { given: { code: 'SPRING-25', colour: 'red' }, sent: send('SPRING-25') },
});

const campaignRequests = (rest: Fields): Rows => {
  const sent = (query: string) => `GET /campaign-requests${query && `?${query}`}`;
  const also = Object.entries(rest).map(([name, value]) => `${name}=${value}`);
  const asked = (...query: string[]) => sent([...also, ...query].join('&'));
  return {
    padded: { given: { ...rest, industry: ' retail ' }, sent: asked('industry=retail') },
    blank: { given: { ...rest, industry: '  ', from: ' ' }, sent: asked() },
    null: { given: { ...rest, industry: null }, sent: asked() },
    'number as text': { given: { ...rest, industry: '0042' }, sent: asked('industry=0042') },
    'text as number': { given: { ...rest, industry: 42 }, sent: asked('industry=42') },
    'unknown field': {
      given: { ...rest, industry: 'retail', colour: 'red' },
      sent: asked('industry=retail'),
    },
  };
};

/** By the place of the step in the app's definition. */
export const table: Readonly<Record<string, Rows>> = {
  'creates.create_coupon': {
    padded: {
      given: {
        discount_type: ' Percent ',
        discount_value: ' 25 ',
        lead_email: 'lead@example.com ',
        code: ' SPRING-25 ',
        lead_metadata: { ' crm_id ': ' 42 ', campaign: '  ' },
      },
      sent: couponSent({ code: 'SPRING-25', lead_metadata: { crm_id: '42' } }),
    },
    blank: {
      given: { ...coupon, code: '   ', max_redemptions: '', valid_until: '\n', lead_metadata: {} },
      sent: couponSent(),
    },
    null: { given: { ...coupon, code: null, lead_metadata: null }, sent: couponSent() },
    'number as text': {
      given: { ...coupon, discount_value: '25.0', max_redemptions: '3' },
      sent: couponSent({ max_redemptions: 3 }),
    },
    'text as number': { given: { ...coupon, code: 42 }, sent: couponSent({ code: '42' }) },
    'unknown field': { given: { ...coupon, colour: 'red' }, sent: couponSent() },
  },
  'creates.revoke_coupon': byCode((code) => `POST /coupons/${code}/revoke`),
  'creates.create_landing_link': {
    padded: {
      given: { fields: { ' utm_campaign ': ' spring ' } },
      sent: 'POST /landing-links {"utm_campaign":"spring"}',
    },
    blank: { given: { fields: { utm_campaign: '   ' } }, sent: 'POST /landing-links {}' },
    null: { given: { fields: null }, sent: 'POST /landing-links {}' },
    'number as text': {
      given: { fields: { utm_content: '0042' } },
      sent: 'POST /landing-links {"utm_content":"0042"}',
    },
    'text as number': {
      given: { fields: { utm_content: 42 } },
      sent: 'POST /landing-links {"utm_content":42}',
    },
    'unknown field': { given: { fields: {}, colour: 'red' }, sent: 'POST /landing-links {}' },
  },
  'searches.find_screen': listing({}, 50),
  'searches.find_available_screens': listing(march, 200),
  'searches.get_screen_availability': {
    padded: {
      given: { screenId: ' scr_1 ', from: ' 2027-03-01 ', to: '2027-03-31T00:00:00+01:00 ' },
      sent: availabilityOf('scr_1'),
    },
    blank: { given: { ...march, screenId: '   ' }, sent: nothing },
    null: { given: { ...march, screenId: null }, sent: nothing },
    'number as text': { given: { ...march, screenId: '0042' }, sent: availabilityOf('0042') },
    'text as number': { given: { ...march, screenId: 42 }, sent: availabilityOf('42') },
    'unknown field': {
      given: { ...march, screenId: 'scr_1', colour: 'red' },
      sent: availabilityOf('scr_1'),
    },
  },
  'searches.find_user': {
    padded: {
      given: { vat_uid: ' DE123456789 ' },
      sent: 'GET /users/lookup?vat_uid=DE123456789',
    },
    blank: {
      given: { email: '  ', vat_uid: 'DE123456789' },
      sent: 'GET /users/lookup?vat_uid=DE123456789',
    },
    null: {
      given: { email: 'lead@example.com', vat_uid: null },
      sent: 'GET /users/lookup?email=lead%40example.com',
    },
    'number as text': { given: { vat_uid: '0042' }, sent: 'GET /users/lookup?vat_uid=0042' },
    'text as number': { given: { vat_uid: 42 }, sent: 'GET /users/lookup?vat_uid=42' },
    'unknown field': {
      given: { vat_uid: 'DE1', colour: 'red' },
      sent: 'GET /users/lookup?vat_uid=DE1',
    },
  },
  'searches.find_coupon': byCode((code) => `GET /coupons/${code}`),
  'searches.find_campaign_request': campaignRequests({ status: 'rejected' }),
  'triggers.new_campaign_request': campaignRequests({}),
  'triggers.new_screen': listing({}, 200),
  'triggers.campaign_request_status_changed': campaignRequests({}),
  'triggers.screen_availability_changed': listing(watch, 200),
};
