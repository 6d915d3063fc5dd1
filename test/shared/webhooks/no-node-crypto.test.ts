import { expect, it } from '@jest/globals';
import { createHash, createHmac } from '../../../shared/src/webhooks/no-node-crypto.ts';
import { refusalOf } from './delivery.ts';

it.each([
  [
    createHmac,
    'Signatures of text and bytes need node:crypto, which this runtime does not have. Use verifyRequest for requests.',
  ],
  [
    createHash,
    'eventKey needs node:crypto, which this runtime does not have. Use verifyRequest: it returns the key of the event.',
  ],
])('without Node.js, %p refers to verifyRequest', (hash, message) => {
  expect(refusalOf(() => hash())).toMatchObject({
    reason: 'invalid_argument',
    message,
  });
});
