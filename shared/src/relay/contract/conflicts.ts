/** Reasons of a 409, in the words that the relay responds with. */
export const conflicts = {
  deleted: 'The subscription was deleted, so its target gets no more deliveries.',
  revoked:
    'The token of this subscription was revoked, so its target gets no more deliveries. Create another, and subscribe with it.',
  erased: 'The event was erased, so nothing can be delivered.',
  switchRevoked:
    'The token of this subscription was revoked. Create another, and subscribe with it.',
  switchRotated:
    'The key of this subscription was rotated, and the new one has not been used. Enter it in the connector: its first request switches the subscription on.',
} as const;
