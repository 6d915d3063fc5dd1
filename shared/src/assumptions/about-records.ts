import { defineAssumption } from './assume.ts';

/** The shapes of records and lists. */
export const recordAssumptions = {
  singleRecord: defineAssumption({
    section: '4.3, 4.4, 4.5, 4.6, 4.11',
    question: 'Does a single record come bare or under "data"?',
    assumed: 'Bare, as sections 4.3 and 4.4 suggest.',
    why: 'Section 2.5 shows one response under "data", so both are likely.',
    accepted: ['bare', 'data'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients read both.',
  }),
  userLookup: defineAssumption({
    section: '2.5',
    question: 'Does the record of a user that exists come bare or under "data", and with "exists"?',
    assumed:
      'Under "data", like the response for an unknown user, and with the fields of the contract.',
    why: 'The contract shows the response for an unknown user as { "data": { "exists": false } }, and a record without "exists".',
    accepted: ['data', 'data-with-exists', 'bare'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients read all of them.',
  }),
  campaignRequestList: defineAssumption({
    section: '4.10',
    question: 'What is the shape of the list of campaign requests, and does it have pages?',
    assumed:
      'Like the list of screens: under "data" with a pagination object, and the query parameter "cursor" gets the next page.',
    why: 'The list of screens is the only one whose shape the contract shows.',
    accepted: ['paginated', 'data', 'bare'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients read all of them.',
  }),
  lastCursor: defineAssumption({
    section: '2.3',
    question: 'What is the cursor in the pagination of the last page?',
    assumed: 'null, with has_more false.',
    why: 'The contract ends a list with has_more, so the last cursor can be anything.',
    accepted: ['null', 'absent', 'empty', 'repeated'],
    allAccepted: true,
    answeredBy: 'doctor',
    change:
      'A list ends when has_more is false. If has_more is true without a new cursor, the client reports an error.',
  }),
  landingLinkBody: defineAssumption({
    section: '4.9',
    question: 'Which fields does the body of a landing link take?',
    assumed: 'The fields that you name; none is required.',
    why: 'Guessed names would fail silently; the Screen Advertising team sends partners the field names.',
    accepted: ['named-by-the-user'],
    allAccepted: false,
    answeredBy: 'doctor --write',
    change: 'Set the fields of the action.',
  }),
  freeText: defineAssumption({
    section: '2.1, 2.4, 4.2, 4.10',
    question:
      'Which values do orientation, bbox, valid_until, and from and to of campaign requests take?',
    assumed:
      'Free text, sent as given. The sandbox accepts dates as YYYY-MM-DD, timestamps such as 2027-03-31T23:59:59Z, and a bbox of west,south,east,north in degrees, and rejects anything else.',
    why: 'A stricter check could reject what the service accepts; the sandbox needs a format to apply the filters.',
    accepted: ['free-text'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Nothing to change.',
  }),
  openRequest: defineAssumption({
    section: '2.7, 3, 6',
    question: 'What is the status of a campaign request without an outcome?',
    assumed: 'null, until it gets one of the four statuses.',
    why: 'All four statuses in the contract are outcomes, but one event reports a request before it has an outcome.',
    accepted: ['null'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Connectors pass the record through unchanged.',
  }),
  campaignRequestPeriod: defineAssumption({
    section: '4.10, 8',
    question:
      'Which time do from and to of campaign requests mean, are they inclusive, and how long is a page?',
    assumed: 'The creation of the request; both are inclusive; a page has 50 records.',
    why: 'Every request has a creation time, the dates of an availability are inclusive, and 50 is the default of the other list.',
    accepted: ['created-both-ends'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Connectors send both as given and read pages of any length.',
  }),
};

/** Screens, their availability and their prices. */
export const screenAssumptions = {
  availabilityPeriod: defineAssumption({
    section: '2.2, 4.4',
    question: 'Is the "to" date of an availability inclusive?',
    assumed: 'Yes: 2027-03-01 to 2027-03-31 is 31 days.',
    why: 'Dates without a time mean whole days, and otherwise you could not ask for a period of one day.',
    accepted: ['both-days'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Calculate with the number of days and the price per day in the records.',
  }),
  periodPrice: defineAssumption({
    section: '2.2',
    question: 'What does a screen cost for a period?',
    assumed:
      'price_per_day_cents of the availability times the number of days, regardless of the share of voice.',
    why: 'It is the only price in the availability, and the contract ties it to no share.',
    accepted: ['price-per-day'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Calculate from price_per_day_cents, which the records include unchanged.',
  }),
  coordinates: defineAssumption({
    section: '2.1',
    question: 'What do latitude and longitude of a screen count in, and can they be missing?',
    assumed:
      'Decimal degrees (WGS 84), north and east positive. A screen without both, or outside -90 to 90 and -180 to 180, has no known place.',
    why: 'Maps and phones use it, and any field of a record may be missing.',
    accepted: ['wgs84'],
    allAccepted: false,
    answeredBy: 'doctor',
    change: 'Compute distances from the fields, which the records include unchanged.',
  }),
  currency: defineAssumption({
    section: '2.1, 2.2',
    question: 'Which currency are prices in, and is it the same for all screens?',
    assumed: 'The same for all: prices are compared in cents and shown without a currency.',
    why: 'No field names a currency.',
    accepted: ['one-for-all'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Search one country at a time.',
  }),
  availableShare: defineAssumption({
    section: '2.2',
    question: 'Is the available share of voice the same on every day of the period?',
    assumed: 'Yes: you can book it for the whole period.',
    why: 'The availability has one value for a date range.',
    accepted: ['whole-period'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Ask for shorter periods.',
  }),
  unbookableScreen: defineAssumption({
    section: '4.2, 4.3, 4.4',
    question:
      'Does the list include screens that cannot be booked, and do they have an availability?',
    assumed: 'No: the list leaves them out, and their availability returns 404.',
    why: 'Section 4.3 treats such a screen as if it did not exist.',
    accepted: ['hidden'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Filter by the is_active field or the availability of a screen.',
  }),
  largestPage: defineAssumption({
    section: '4.2, 8',
    question: 'What happens when the limit of the list of screens is above 200?',
    assumed: 'The service rejects it like any invalid parameter, instead of returning 200.',
    why: 'Asking for more than the maximum is a mistake that the caller should see.',
    accepted: ['refused'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Clients never send a limit above 200.',
  }),
  smallestPage: defineAssumption({
    section: '4.2',
    question: 'What is the smallest limit of the list of screens?',
    assumed: '1.',
    why: 'With empty pages, a list would never end.',
    accepted: ['1'],
    allAccepted: true,
    answeredBy: 'doctor',
    change: 'Nothing to change.',
  }),
};

/** The life of a coupon. */
export const couponAssumptions = {
  ownCode: defineAssumption({
    section: '2.4, 8',
    question: 'Which codes of clients does the service take?',
    assumed: 'Any of letters, digits and hyphens. Codes made from leads have ten, behind a prefix.',
    why: 'The contract shows neither a pattern nor a length limit for them, and its own codes have a hyphen.',
    accepted: ['any'],
    allAccepted: false,
    answeredBy: 'doctor --write',
    change: 'Let the service choose the code.',
  }),
  revokeAnswer: defineAssumption({
    section: '4.7',
    question: 'What does revoking a coupon return?',
    assumed: 'Status 200 with the coupon record.',
    why: 'It is the most useful response for a client; section 4.7 shows no body.',
    accepted: ['record', 'empty'],
    allAccepted: true,
    answeredBy: 'doctor --write',
    change: 'Clients return { code } for an empty 2xx response.',
  }),
  revokeRequest: defineAssumption({
    section: '4.7',
    question: 'Does revoking a coupon take a request body?',
    assumed: 'No: clients send none.',
    why: 'The path already names the coupon and the action.',
    accepted: ['none'],
    allAccepted: false,
    answeredBy: 'doctor --write',
    change: 'Nothing to change.',
  }),
  couponState: defineAssumption({
    section: '3',
    question: 'Which field and values show the state of a coupon?',
    assumed: 'A field "status" with active, redeemed, revoked, or expired.',
    why: 'Campaign requests have a field with this name, and the contract names the active and redeemed states.',
    accepted: ['status', 'absent'],
    allAccepted: true,
    answeredBy: 'doctor --write',
    change:
      'Connectors pass the record through unchanged. Without a status, a coupon_note says that the coupon of a lead may be over.',
  }),
  couponEnd: defineAssumption({
    section: '2.4, 3, 4.5, 4.7',
    question: 'When is a coupon redeemed or expired, and what can you do with an expired one?',
    assumed:
      'It stays active until max_redemptions is reached, then it is redeemed. After valid_until it is expired: it cannot be revoked, and its lead can get a new coupon. A valid_until in the past is accepted.',
    why: 'Sections 4.5 and 4.7 depend on whether a coupon is active, and a used-up or expired coupon is not. The contract shows no rule for valid_until.',
    accepted: ['last-redemption-or-valid-until'],
    allAccepted: true,
    answeredBy: 'team',
    change: 'Connectors show the state and errors as sent.',
  }),
  lostCoupon: defineAssumption({
    section: '4.5',
    question:
      'If the response to Create Coupon is lost, is the coupon still active some seconds later?',
    assumed:
      'Yes. So without a code, the client sends the request again: the service creates the coupon, or returns 409 because the lead has an active one.',
    why: 'A lead can have only one active coupon, and cannot redeem it within seconds: the code was lost with the response.',
    accepted: ['stays-active'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Set a code: the client then reads the coupon by its code.',
  }),
  wholeDiscounts: defineAssumption({
    section: '2.4',
    question: 'Can a discount in cents or free days have a fraction?',
    assumed: 'No: half a cent cannot be paid, and half a day cannot be booked.',
    why: 'Every other amount in the interface is a whole number of cents, and availability is by whole days; a fraction is most likely an amount in another unit.',
    accepted: ['whole'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Clients reject a fraction before sending it.',
  }),
  letterCase: defineAssumption({
    section: '2.4, 4.5, 4.6, 4.8',
    question:
      'Are email addresses and coupon codes case-sensitive, and can two accesses have the same code?',
    assumed:
      'Email addresses are not case-sensitive, codes are. A code that one access uses is taken for all.',
    why: 'Email services ignore case; a path identifies a coupon by its code alone, and only the rule for lead emails mentions the calling access.',
    accepted: ['codes-with-case'],
    allAccepted: true,
    answeredBy: 'doctor --write',
    change:
      'Connectors send both as given. Only to recognize a lead, they ignore the case of an address and the spelling of an international domain: exämple.de is xn--exmple-cua.de. With a plus-tag, an address is another lead.',
  }),
};
