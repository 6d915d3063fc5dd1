/** By assumption: what does not work if the service differs, and what to do. */
export const actions = {
  refusedCredentials: 'Errors will not say that the credentials are wrong. Report it.',
  invalidToken: 'Connectors may not renew an expired token. Report it.',
  missingScope: 'Errors will not name the missing scope. Report it.',
  tokenLifetime: 'Connectors need more tokens than they may request. Ask for a longer lifetime.',
  singleRecord: 'Connectors cannot read the record. Report it.',
  userLookup: 'Connectors cannot show the user. Report it.',
  coordinates: 'Searches near a place do not find them. Report it.',
  lastCursor: 'Lists end with an error. Report it.',
  campaignRequestList: 'Connectors may read only the first page. Report it.',
  campaignRequestPeriod: 'Filters by date find other requests. Report it.',
  invalidParameter: 'Errors will name another cause. Report it.',
  unknownCoupon: 'Finding a coupon fails instead of finding nothing. Report it.',
  revokeAnswer: 'The coupon that you named may be active. Have it revoked.',
  revokeRequest: 'The coupon that you named may be active. Have it revoked.',
  landingLinkBody: 'Ask the team which fields it takes.',
  problemDocuments: 'Error messages will show only the status. Report it.',
} as const;
