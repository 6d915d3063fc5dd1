/** An ID's digits that no record has. */
export const none = '0'.repeat(32);

export const problem = (status: number, kind: string, title: string, detail: unknown) => ({
  type: `urn:screen-advertising:relay:problem:${kind}`,
  title,
  status,
  detail,
  ...(status === 503 && { retry_after: 5 }),
});
export const notFound = (detail: string) => problem(404, 'not-found', 'Not found', detail);
export const conflict = (detail: string) => problem(409, 'conflict', 'Conflict', detail);
export const invalid = (detail: string) =>
  problem(400, 'invalid-parameter', 'Invalid parameter', detail);
export const tooLarge = (bytes: number) =>
  problem(413, 'body-too-large', 'Body too large', `The body is longer than ${bytes} bytes.`);
export const isCut = conflict(
  'The token of this subscription was revoked, so its target gets no more deliveries. Create another, and subscribe with it.',
);
export const badSwitch = invalid('state must be active or off.');
export const isRevoked = conflict(
  'The token of this subscription was revoked. Create another, and subscribe with it.',
);
export const noSubscription = notFound(`There is no subscription sub_${none}.`);
export const noEvent = notFound(`There is no event evt_${none}, or it was pruned.`);
export const noDelivery = notFound(`There is no delivery dlv_${none}_1, or it was pruned.`);
export const badState = invalid('state must be pending, delivered, ignored or dead.');
export const limitTooLow = invalid('limit must be at least 1.');
export const limitTooHigh = invalid('limit must be at most 200.');
