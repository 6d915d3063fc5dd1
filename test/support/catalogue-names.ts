/**
 * What the catalogue describes, by the names that users know. Written down here, so that a test
 * notices what is gone or renamed.
 */
export const operationNames = [
  'screen.list',
  'screen.get',
  'screen.availability',
  'coupon.create',
  'coupon.get',
  'coupon.revoke',
  'user.lookup',
  'landingLink.create',
  'campaignRequest.list',
  'campaignRequest.get',
] as const;

export const compoundNames = [
  'screen.findNearby',
  'screen.findAvailable',
  'screen.availabilityChanged',
] as const;

export const eventNames = [
  'user.registered',
  'campaign.paid',
  'coupon.redeemed',
  'campaign_request.created',
  'campaign_request.rejected',
] as const;

const inArea = {
  country: 'Country',
  city: 'City',
  orientation: 'Orientation',
  bbox: 'Bounding Box',
};

const nearby = { near: 'Near', radius_km: 'Radius in Kilometers', ...inArea };

/** The label of each field of a form. */
export const formLabels = {
  'screen.list': { ...inArea, limit: 'Page Size', cursor: 'Cursor' },
  'screen.get': { screenId: 'Screen' },
  'screen.availability': { screenId: 'Screen', from: 'From', to: 'To' },
  'coupon.create': {
    discount_type: 'Discount Type',
    discount_value: 'Discount Value',
    lead_email: 'Lead Email',
    code: 'Code',
    max_redemptions: 'Maximum Redemptions',
    valid_until: 'Valid Until',
    lead_metadata: 'Lead Metadata',
  },
  'coupon.get': { code: 'Code' },
  'coupon.revoke': { code: 'Code' },
  'user.lookup': { email: 'Email', vat_uid: 'VAT Number' },
  'landingLink.create': {},
  'campaignRequest.list': {
    status: 'Status',
    from: 'From',
    to: 'To',
    industry: 'Industry',
    cursor: 'Cursor',
  },
  'campaignRequest.get': { id: 'Campaign Request' },
  'screen.findNearby': { ...nearby, sort_by: 'Sort By' },
  'screen.findAvailable': {
    from: 'From',
    to: 'To',
    ...nearby,
    min_available_sov_pct: 'Minimum Available Share of Voice',
    budget_cents: 'Budget',
    sort_by: 'Sort By',
  },
  'screen.availabilityChanged': {
    change: 'Change',
    share_pct: 'Threshold',
    from: 'From',
    to: 'To',
    ...nearby,
  },
} as const;

/** Fields of a form that offer a choice. */
export const formChoices: Readonly<Record<string, readonly string[]>> = {
  'campaignRequest.list.status': ['rejected', 'abandoned', 'no_inventory', 'converted'],
  'coupon.create.discount_type': ['percent', 'amount_cents', 'free_days'],
  'screen.findNearby.sort_by': ['nearest', 'cheapest'],
  'screen.findAvailable.sort_by': ['nearest', 'cheapest'],
  'screen.availabilityChanged.change': ['rises_above', 'falls_below', 'either'],
};

const ofScreen = [
  'id',
  'name',
  'description',
  'country',
  'city',
  'address',
  'latitude',
  'longitude',
  'orientation',
  'resolution_width',
  'resolution_height',
  'price_per_day_cents',
  'ad_sov_pct',
  'thumbnail_url',
  'venue_type',
  'is_active',
  'created_at',
] as const;

const ofAvailability = [
  'screen_id',
  'from',
  'to',
  'max_sov_pct',
  'used_sov_pct',
  'available_sov_pct',
  'price_per_day_cents',
] as const;

const ofCoupon = [
  'code',
  'status',
  'discount_type',
  'discount_value',
  'lead_email',
  'max_redemptions',
  'valid_until',
  'lead_metadata',
] as const;

/** The fields of each record. */
export const recordFieldNames = {
  'screen.list': ofScreen,
  'screen.get': ofScreen,
  'screen.availability': ofAvailability,
  'coupon.create': ofCoupon,
  'coupon.get': ofCoupon,
  'coupon.revoke': ofCoupon,
  'user.lookup': ['exists', 'user_id', 'registered_at', 'has_bookings', 'attribution'],
  'landingLink.create': ['url'],
  'campaignRequest.list': ['id', 'status', 'industry'],
  'campaignRequest.get': ['id', 'status', 'industry'],
  'screen.findNearby': [...ofScreen, 'distance_km'],
  'screen.findAvailable': [...ofAvailability, 'distance_km', 'screen', 'days', 'total_price_cents'],
  'screen.availabilityChanged': [
    'change',
    'share_pct',
    'previous_available_sov_pct',
    ...ofAvailability,
    'distance_km',
    'screen',
  ],
} as const;
