/** Tokens, scopes, refusals and limits. */
export const aboutAccess = {
  tokenScopes: {
    section: '5',
    question: 'How does a client choose the scopes of a token?',
    assumed: 'It does not: a token carries all scopes of the access.',
    why: 'The token request has two fields, neither of them a scope.',
    accepted: ['all-of-the-access'],
    change: 'The administration grants the scopes.',
  },
  refusedCredentials: {
    section: '4.1',
    question: 'Which status answers a wrong client ID or client secret at the token endpoint?',
    assumed: '401.',
    why: 'OAuth servers answer 401 or 400 (RFC 6749, section 5.2).',
    accepted: ['401', '400', '403'],
    change: 'Nothing to change: all are read as wrong credentials.',
  },
  invalidToken: {
    section: '7',
    question: 'Which status answers a missing, wrong or expired token?',
    assumed: '401.',
    why: 'It is what HTTP defines for it.',
    accepted: ['401'],
    change: 'Nothing to change.',
  },
  missingScope: {
    section: '7',
    question: 'Which status answers a token without the scope of the endpoint?',
    assumed: '403.',
    why: 'It is what HTTP and RFC 6750 define for it.',
    accepted: ['403'],
    change: 'Nothing to change.',
  },
  invalidParameter: {
    section: '7',
    question: 'Which status answers an invalid parameter?',
    assumed: '400.',
    why: 'It is the status of the rules that are shown.',
    accepted: ['400', '422'],
    change: 'Nothing to change: both are read alike.',
  },
  unknownCoupon: {
    section: '7',
    question: 'Which status answers an unknown coupon code or campaign request?',
    assumed: '404, also for those of other accesses.',
    why: 'It is the status of an unknown screen.',
    accepted: ['404'],
    change: 'Nothing to change.',
  },
  rateWindow: {
    section: '8',
    question: 'Which minute does a limit count, and do refused calls count?',
    assumed:
      'Any 60 seconds: the window slides. A call that is refused because the limit is used up does not count.',
    why: 'It is the stricter reading: minutes of the clock would let twice as many through around their turn.',
    accepted: ['sliding'],
    change:
      'Nothing to change: clients wait as long as Retry-After says. In code, the sandbox also counts fixed windows.',
  },
} as const;
