import { assume } from './assume.ts';

/** The life of a coupon. */
export const aboutCoupons = {
  ownCode: assume({
    section: '2.4, 8',
    question: 'Which codes of clients does the service take?',
    assumed: 'Any of letters, digits and hyphens. Codes made from leads have ten, behind a prefix.',
    why: 'The contract shows neither a pattern nor a length limit for them, and its own codes have a hyphen.',
    accepted: ['any'],
    allAccepted: false,
    answeredBy: 'doctor --write',
    change: 'Let the service choose the code.',
  }),
  revokeAnswer: assume({
    section: '4.7',
    question: 'What does revoking a coupon return?',
    assumed: 'Status 200 with the coupon record.',
    why: 'It is the most useful response for a client; section 4.7 shows no body.',
    accepted: ['record', 'empty'],
    allAccepted: true,
    answeredBy: 'doctor --write',
    change: 'Clients return { code } for an empty 2xx response.',
  }),
  revokeRequest: assume({
    section: '4.7',
    question: 'Does revoking a coupon take a request body?',
    assumed: 'No: clients send none.',
    why: 'The path already names the coupon and the action.',
    accepted: ['none'],
    allAccepted: false,
    answeredBy: 'doctor --write',
    change: 'Nothing to change.',
  }),
  couponState: assume({
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
  couponEnd: assume({
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
  lostCoupon: assume({
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
  wholeDiscounts: assume({
    section: '2.4',
    question: 'Can a discount in cents or free days have a fraction?',
    assumed: 'No: half a cent cannot be paid, and half a day cannot be booked.',
    why: 'Every other amount in the interface is a whole number of cents, and availability is by whole days; a fraction is most likely an amount in another unit.',
    accepted: ['whole'],
    allAccepted: false,
    answeredBy: 'team',
    change: 'Clients reject a fraction before sending it.',
  }),
  letterCase: assume({
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
