/**
 * Everything the contract leaves open ("not shown"), in one place: what is assumed, why, what is
 * accepted besides, and where a user can change it. The sandbox can be switched to every accepted
 * variant, and the tests run over all of them. The first accepted variant is the assumed one.
 */
export interface Assumption {
  /** Section of the partner interface specification. */
  readonly section: string;
  readonly question: string;
  readonly assumed: string;
  readonly why: string;
  /** Variants that clients understand without a setting; the first is the assumed one. */
  readonly accepted: readonly [string, ...string[]];
  /** Where a user changes it when the service turns out to differ. */
  readonly change: string;
}

const assumption = <const A extends Assumption>(value: A): A => value;

/** Everything that the contract leaves open: what is assumed, why, and what is accepted besides. */
export const assumptions = {
  singleRecord: assumption({
    section: '4.3, 4.4, 4.5, 4.6, 4.11',
    question: 'Does a single record come bare or under "data"?',
    assumed: 'Bare, as sections 4.3 and 4.4 read.',
    why: 'Section 2.5 shows one answer under "data", so both are likely.',
    accepted: ['bare', 'data'],
    change: 'Nothing to change: both are read.',
  }),
  userLookup: assumption({
    section: '2.5',
    question: 'Does the record of a user that exists come bare or under "data", and with "exists"?',
    assumed: 'Under "data" with "exists": true, like the answer for an unknown user.',
    why: 'The answer for an unknown user is shown as { "data": { "exists": false } }.',
    accepted: ['data', 'data-without-exists', 'bare'],
    change: 'Nothing to change: all are read.',
  }),
  campaignRequestList: assumption({
    section: '4.10',
    question: 'What shape has the list of campaign requests, and does it come in pages?',
    assumed:
      'Like the list of screens: under "data" with a pagination object, continued by the query parameter "cursor".',
    why: 'It is the only list whose shape is shown.',
    accepted: ['paginated', 'data', 'bare'],
    change: 'Nothing to change: all are read.',
  }),
  lastCursor: assumption({
    section: '2.3',
    question: 'What does the pagination of the last page hold as cursor?',
    assumed: 'null, with has_more false.',
    why: 'has_more is what is documented to end a list; the cursor may be anything then.',
    accepted: ['null', 'absent', 'empty', 'repeated'],
    change:
      'Nothing to change: a list ends when has_more is false. When there is more and no new cursor, reading it on is an error.',
  }),
  revokeAnswer: assumption({
    section: '4.7',
    question: 'What does revoking a coupon answer?',
    assumed: 'Status 200 with the coupon record.',
    why: 'It is what a client can use best; section 4.7 shows no body.',
    accepted: ['record', 'empty'],
    change: 'Nothing to change: an empty answer with a 2xx status is read as { code }.',
  }),
  revokeRequest: assumption({
    section: '4.7',
    question: 'Does revoking a coupon take a request body?',
    assumed: 'No: none is sent.',
    why: 'The path says all there is to say.',
    accepted: ['none'],
    change: 'Nothing to change.',
  }),
  couponState: assumption({
    section: '3',
    question: 'Which field and values tell the state of a coupon?',
    assumed: 'A field "status" with active, redeemed, revoked or expired.',
    why: 'Campaign requests have a field of that name; the contract names the active and the redeemed state.',
    accepted: ['status'],
    change: 'Connectors pass the record through untouched, whatever it holds.',
  }),
  eventName: assumption({
    section: '6',
    question: 'Under which member does a delivery name its event?',
    assumed: '"type".',
    why: 'Most services with a t=,v1= signature do so.',
    accepted: ['type', 'event', 'event_type', 'event_name', 'topic'],
    change:
      'Nothing to change: all are read. The name of one of the five events wins over other words, such as a field "type" of a record. A delivery that names different events is refused.',
  }),
  eventId: assumption({
    section: '6',
    question: 'Does a delivery carry an identifier that stays the same over its retries?',
    assumed: '"id".',
    why: 'Most services with retries have one. A retry is the same delivery, so the ID of a delivery stays the same, too.',
    accepted: ['id', 'event_id', 'delivery_id', 'absent'],
    change:
      'Nothing to change: all are read, and without one, repeats are recognized by their body. An "id" beside the fields of the event is taken for that of its record.',
  }),
  eventData: assumption({
    section: '6',
    question: 'Where in a delivery are the fields of the event?',
    assumed: 'Under "data".',
    why: 'The lists and the user lookup put what they are about under "data".',
    accepted: ['data', 'payload', 'flat'],
    change:
      'Nothing to change: "data" is read, else "payload", and without an object under either the whole body.',
  }),
  signatureScheme: assumption({
    section: '6',
    question: 'How is the signature computed?',
    assumed: 'HMAC-SHA256 over the timestamp, a dot and the raw body, as lower-case hex.',
    why: 'It is what the header of the same shape means elsewhere.',
    accepted: ['sha256-timestamp-body'],
    change: 'The options algorithm and signedContent of the verifier.',
  }),
  signatureTimestamp: assumption({
    section: '6',
    question: 'Is a delivery signed anew for each retry?',
    assumed: 'No: the timestamp stays that of the first attempt.',
    why: 'It is the harder case: the last retry then arrives 756 s after its timestamp, or up to 806 s when each attempt before it waited 10 s for an answer, which sets the default tolerance of 900 s.',
    accepted: ['first-attempt', 'each-attempt'],
    change: 'The tolerance of the verifier.',
  }),
  failedDelivery: assumption({
    section: '6',
    question: 'What counts as a failed delivery?',
    assumed: 'No connection, no answer within 10 s, or a status other than 2xx.',
    why: 'The receiver must answer with 2xx quickly.',
    accepted: ['not-2xx'],
    change: 'Receivers answer 2xx at once and work afterwards, so the limit hardly matters.',
  }),
  webhookRegistration: assumption({
    section: '6',
    question: 'How are the webhook address and the secret registered?',
    assumed: 'By the administration, on request.',
    why: 'Credentials are issued the same way, and no endpoint is shown.',
    accepted: ['by-administration'],
    change: 'The help texts of the triggers.',
  }),
  invalidToken: assumption({
    section: '7',
    question: 'Which status answers a missing, wrong or expired token?',
    assumed: '401.',
    why: 'It is what HTTP defines for it.',
    accepted: ['401'],
    change: 'Nothing to change.',
  }),
  missingScope: assumption({
    section: '7',
    question: 'Which status answers a token without the scope of the endpoint?',
    assumed: '403.',
    why: 'It is what HTTP and RFC 6750 define for it.',
    accepted: ['403'],
    change: 'Nothing to change.',
  }),
  refusedCredentials: assumption({
    section: '4.1',
    question: 'Which status answers a wrong client ID or client secret at the token endpoint?',
    assumed: '401.',
    why: 'OAuth servers answer 401 or 400 (RFC 6749, section 5.2).',
    accepted: ['401', '400', '403'],
    change: 'Nothing to change: all are read as wrong credentials.',
  }),
  invalidParameter: assumption({
    section: '7',
    question: 'Which status answers an invalid parameter?',
    assumed: '400.',
    why: 'It is the status of the rules that are shown.',
    accepted: ['400', '422'],
    change: 'Nothing to change: both are read alike.',
  }),
  unknownCoupon: assumption({
    section: '7',
    question: 'Which status answers an unknown coupon code or campaign request?',
    assumed: '404, also for those of other accesses.',
    why: 'It is the status of an unknown screen.',
    accepted: ['404'],
    change: 'Nothing to change.',
  }),
  tokenScopes: assumption({
    section: '5',
    question: 'How does a client choose the scopes of a token?',
    assumed: 'It does not: a token carries all scopes of the access.',
    why: 'The token request has two fields, neither of them a scope.',
    accepted: ['all-of-the-access'],
    change: 'The administration grants the scopes.',
  }),
  landingLinkBody: assumption({
    section: '4.9',
    question: 'Which fields does the body of a landing link take?',
    assumed: 'Those the user names; none is required here.',
    why: 'Guessing names would break silently; the administration tells its partners.',
    accepted: ['named-by-the-user'],
    change: 'The fields of the action.',
  }),
  freeText: assumption({
    section: '2.1, 2.4, 4.2, 4.10',
    question:
      'Which values do orientation, bbox, valid_until, and from and to of campaign requests take?',
    assumed:
      'Free text, sent as given. The sandbox itself reads dates written YYYY-MM-DD, timestamps such as 2027-03-31T23:59:59Z, and a bbox of west,south,east,north in degrees; it refuses others.',
    why: 'A check of our own could refuse what the service accepts; the sandbox needs formats to keep to the filters.',
    accepted: ['free-text'],
    change: 'Nothing to change.',
  }),
  availabilityPeriod: assumption({
    section: '2.2, 4.4',
    question: 'Does the day in "to" belong to the period of an availability?',
    assumed: 'Yes: from 2027-03-01 to 2027-03-31 are 31 days.',
    why: 'Dates without a time name whole days, and a period of one day could not be asked for otherwise.',
    accepted: ['both-days'],
    change: 'The records hold the days that were counted, and the price per day.',
  }),
  periodPrice: assumption({
    section: '2.2',
    question: 'What does the ad time of a screen cost over a period?',
    assumed: 'price_per_day_cents of the availability times the days, whatever the share.',
    why: 'It is the only price that the availability tells, and no share stands beside it.',
    accepted: ['price-per-day'],
    change: 'The records hold price_per_day_cents as it came, to reckon otherwise.',
  }),
  currency: assumption({
    section: '2.1, 2.2',
    question: 'Which currency are prices in, and is it the same for all screens?',
    assumed:
      'The same for all: prices are compared as numbers of cents and shown without a currency.',
    why: 'No field tells a currency.',
    accepted: ['one-for-all'],
    change: 'Search one country at a time.',
  }),
  availableShare: assumption({
    section: '2.2',
    question: 'Is the available share there on every day of the period?',
    assumed: 'Yes: it can be booked for the whole period.',
    why: 'The availability has one share for a date range.',
    accepted: ['whole-period'],
    change: 'Ask for shorter periods.',
  }),
  openRequest: assumption({
    section: '2.7, 3, 6',
    question: 'Which status has a campaign request that has no outcome yet?',
    assumed: 'null, until one of the four statuses is reached.',
    why: 'The four that are shown are all outcomes, but an event tells of a request before it has one.',
    accepted: ['null'],
    change: 'Connectors pass the record through untouched, whatever it holds.',
  }),
  couponEnd: assumption({
    section: '2.4, 3, 4.5, 4.7',
    question: 'When is a coupon redeemed or expired, and what may be done with an expired one?',
    assumed:
      'The last of max_redemptions makes it redeemed, until then it is active. Past valid_until it is expired: it cannot be revoked, and its lead may have a new coupon. A valid_until in the past is taken.',
    why: 'A coupon that nobody can use any more is no longer active, which is what sections 4.5 and 4.7 ask about; no rule for valid_until is shown.',
    accepted: ['last-redemption-or-valid-until'],
    change:
      'Nothing to change: connectors show the state and the refusals as the service tells them.',
  }),
  lostCoupon: assumption({
    section: '4.5',
    question:
      'What becomes of a coupon whose response was lost, until the client sends the request again some seconds later?',
    assumed:
      'Nothing: it stays active. So without a code a lost request is sent again: the service creates the coupon, or refuses it with 409 because the lead has an active one.',
    why: 'Only one active coupon per lead is allowed, and nobody can redeem within seconds a coupon whose code nobody was told.',
    accepted: ['stays-active'],
    change: 'Set a code: then the coupon is found by its code, whatever became of it.',
  }),
  wholeDiscounts: assumption({
    section: '2.4',
    question: 'May a discount in cents or in free days have a fraction?',
    assumed: 'No: half a cent cannot be paid, and half a day cannot be booked.',
    why: 'Every other amount of the interface is a whole number of cents, and availability is asked for by whole days; a fraction is most likely an amount in another unit.',
    accepted: ['whole'],
    change: 'Nothing to change: clients refuse a fraction before they send it.',
  }),
  unbookableScreen: assumption({
    section: '4.2, 4.3, 4.4',
    question: 'Are screens that cannot be booked in the list, and have they an availability?',
    assumed: 'No: the list leaves them out, and their availability is answered with 404.',
    why: 'Section 4.3 answers for such a screen as if it did not exist.',
    accepted: ['hidden'],
    change: 'Filter by what the field is_active or the availability of a screen tells.',
  }),
  rateWindow: assumption({
    section: '8',
    question: 'Which minute does a limit count, and do refused calls count?',
    assumed:
      'Any 60 seconds: the window slides. A call that is refused because the limit is used up does not count.',
    why: 'It is the stricter reading: minutes of the clock would let twice as many through around their turn.',
    accepted: ['sliding'],
    change:
      'Nothing to change: clients wait as long as Retry-After says. In code, the sandbox also counts fixed windows.',
  }),
  largestPage: assumption({
    section: '4.2, 8',
    question: 'What answers a limit above 200 in the list of screens?',
    assumed: 'A refusal, like any invalid parameter; the page is not cut to 200.',
    why: 'Whoever asks for more than the maximum should learn of it.',
    accepted: ['refused'],
    change: 'Nothing to change: clients refuse a limit above 200 before they send it.',
  }),
  letterCase: assumption({
    section: '2.4, 4.5, 4.6, 4.8',
    question:
      'Does the case of letters tell e-mail addresses or coupon codes apart, and may two accesses have the same code?',
    assumed:
      'E-mail addresses are compared without case, codes with it. A code is taken for all accesses.',
    why: 'Mail services ignore the case; a path names a coupon by its code alone, and only the rule for lead e-mails names the calling access.',
    accepted: ['codes-with-case'],
    change:
      'Connectors send both as given. They compare e-mail addresses without case only to tell whether a coupon that is there already is their own.',
  }),
  campaignRequestPeriod: assumption({
    section: '4.10, 8',
    question:
      'Which moment do from and to of campaign requests mean, do their ends belong to it, and how long is a page?',
    assumed: 'The creation of the request, both ends included; a page holds 50.',
    why: 'Every request has that moment, the days of an availability include both ends as well, and 50 is the default of the other list.',
    accepted: ['created-both-ends'],
    change: 'Connectors send both as given and read all pages, however long they are.',
  }),
  smallestPage: assumption({
    section: '4.2',
    question: 'What is the smallest limit of the list of screens?',
    assumed: '1.',
    why: 'A page of none would never end a list.',
    accepted: ['1'],
    change: 'Nothing to change.',
  }),
} as const;

/** The name of an assumption, such as `singleRecord`. */
export type AssumptionName = keyof typeof assumptions;

/** One accepted variant of each assumption: what a service, such as the sandbox, does. */
export type Variants = {
  -readonly [Name in AssumptionName]: (typeof assumptions)[Name]['accepted'][number];
};
