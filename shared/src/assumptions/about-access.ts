/** Tokens, scopes, refusals and limits. */
export const aboutAccess = {
  tokenScopes: {
    section: '5',
    question: 'How does a client choose the scopes of a token?',
    assumed: 'It cannot: a token has all scopes of the access.',
    why: 'The token request has two fields, neither of them a scope.',
    accepted: ['all-of-the-access'],
    change: 'The Screen Advertising team grants the scopes.',
  },
  refusedCredentials: {
    section: '4.1',
    question: 'Which status does the token endpoint return for a wrong client ID or client secret?',
    assumed: '401.',
    why: 'OAuth servers return 401 or 400 (RFC 6749, section 5.2).',
    accepted: ['401', '400', '403'],
    change: 'Clients treat all three as wrong credentials.',
  },
  invalidToken: {
    section: '7',
    question: 'Which status does the service return for a missing, wrong, or expired token?',
    assumed: '401.',
    why: 'HTTP defines it for this case.',
    accepted: ['401'],
    change: 'Nothing to change.',
  },
  missingScope: {
    section: '7',
    question: 'Which status does the service return when the token lacks the scope?',
    assumed: '403.',
    why: 'HTTP and RFC 6750 define it for this case.',
    accepted: ['403'],
    change: 'Nothing to change.',
  },
  invalidParameter: {
    section: '7',
    question: 'Which status does the service return for an invalid parameter?',
    assumed: '400.',
    why: 'The rules that the contract shows use it.',
    accepted: ['400', '422'],
    change: 'Clients treat both the same.',
  },
  unknownCoupon: {
    section: '7',
    question:
      'Which status does the service return for an unknown coupon code or campaign request?',
    assumed: '404, also for records of other accesses.',
    why: 'An unknown screen returns it.',
    accepted: ['404'],
    change: 'Nothing to change.',
  },
  rateWindow: {
    section: '8',
    question: 'Which minute does a rate limit cover, and do rejected requests count?',
    assumed: 'Any 60 seconds: the window slides. Requests rejected by the rate limit do not count.',
    why: 'This is the stricter reading: clock minutes would let twice as many through around each full minute.',
    accepted: ['sliding'],
    change:
      'Clients wait as long as Retry-After says. The sandbox as a library also has fixed windows.',
  },
} as const;
