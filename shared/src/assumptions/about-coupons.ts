/** The life of a coupon. */
export const aboutCoupons = {
  revokeAnswer: {
    section: '4.7',
    question: 'What does revoking a coupon answer?',
    assumed: 'Status 200 with the coupon record.',
    why: 'It is what a client can use best; section 4.7 shows no body.',
    accepted: ['record', 'empty'],
    change: 'Nothing to change: an empty answer with a 2xx status is read as { code }.',
  },
  revokeRequest: {
    section: '4.7',
    question: 'Does revoking a coupon take a request body?',
    assumed: 'No: none is sent.',
    why: 'The path says all there is to say.',
    accepted: ['none'],
    change: 'Nothing to change.',
  },
  couponState: {
    section: '3',
    question: 'Which field and values tell the state of a coupon?',
    assumed: 'A field "status" with active, redeemed, revoked or expired.',
    why: 'Campaign requests have a field of that name; the contract names the active and the redeemed state.',
    accepted: ['status'],
    change: 'Connectors pass the record through untouched, whatever it holds.',
  },
  couponEnd: {
    section: '2.4, 3, 4.5, 4.7',
    question: 'When is a coupon redeemed or expired, and what may be done with an expired one?',
    assumed:
      'The last of max_redemptions makes it redeemed, until then it is active. Past valid_until it is expired: it cannot be revoked, and its lead may have a new coupon. A valid_until in the past is taken.',
    why: 'Sections 4.5 and 4.7 ask whether a coupon is active, and a used-up or expired coupon is not. No rule for valid_until is shown.',
    accepted: ['last-redemption-or-valid-until'],
    change:
      'Nothing to change: connectors show the state and the refusals as the service tells them.',
  },
  lostCoupon: {
    section: '4.5',
    question:
      'What becomes of a coupon whose response was lost, until the client sends the request again some seconds later?',
    assumed:
      'Nothing: it stays active. So without a code a lost request is sent again: the service creates the coupon, or refuses it with 409 because the lead has an active one.',
    why: 'Only one active coupon per lead is allowed, and its lead cannot redeem it within seconds: the code was lost with the response.',
    accepted: ['stays-active'],
    change: 'Set a code: then the coupon is found by its code, whatever became of it.',
  },
  wholeDiscounts: {
    section: '2.4',
    question: 'May a discount in cents or in free days have a fraction?',
    assumed: 'No: half a cent cannot be paid, and half a day cannot be booked.',
    why: 'Every other amount of the interface is a whole number of cents, and availability is asked for by whole days; a fraction is most likely an amount in another unit.',
    accepted: ['whole'],
    change: 'Nothing to change: clients refuse a fraction before they send it.',
  },
  letterCase: {
    section: '2.4, 4.5, 4.6, 4.8',
    question:
      'Does the case of letters tell e-mail addresses or coupon codes apart, and may two accesses have the same code?',
    assumed:
      'E-mail addresses are compared without case, codes with it. A code is taken for all accesses.',
    why: 'Mail services ignore the case; a path names a coupon by its code alone, and only the rule for lead e-mails names the calling access.',
    accepted: ['codes-with-case'],
    change:
      'Connectors send both as given. They compare e-mail addresses without case only to tell whether a coupon that is there already is their own.',
  },
} as const;
