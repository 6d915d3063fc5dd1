import { describe, expect, it } from '@jest/globals';
import {
  formatWebhookId,
  readWebhookId,
  type StandardWebhookOptions,
  verifyStandardWebhook,
  webhookIdOfTest,
} from '@screen-advertising/core/webhooks';

/** The example of the reference libraries (https://github.com/standard-webhooks). */
const example: StandardWebhookOptions = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  now: () => 1_614_265_330_000,
};

const reasonOf = (change: object): unknown => {
  try {
    return verifyStandardWebhook({ ...example, ...change });
  } catch (error) {
    return (error as { reason?: unknown }).reason;
  }
};

describe('verifyStandardWebhook', () => {
  it('returns the ID of a signed delivery', () => {
    expect(verifyStandardWebhook(example)).toBe(example.id);
    expect(reasonOf({ body: Buffer.from(String(example.body)) })).toBe(example.id);
    const two = `v1,${'A'.repeat(43)}= v1a,other ${example.signature}`;
    expect(reasonOf({ signature: two, secrets: ['whsec_BBBB', ...example.secrets] })).toBe(
      example.id,
    );
  });

  it.each<[string, object]>([
    ['missing_signature', { id: undefined }],
    ['missing_signature', { signature: null }],
    ['malformed_signature', { signature: 'v1,short' }],
    ['malformed_signature', { signature: 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' }],
    ['malformed_signature', { timestamp: 'now' }],
    ['timestamp_out_of_tolerance', { now: () => 1_614_266_231_000 }],
    ['signature_mismatch', { id: 'msg_other' }],
    ['signature_mismatch', { timestamp: '1614265331' }],
    ['signature_mismatch', { body: '{"test": 2432232315}' }],
    ['signature_mismatch', { secrets: ['whsec_BBBB'] }],
    ['invalid_argument', { secrets: [] }],
    ['invalid_argument', { secrets: ['whsec_!'] }],
    ['invalid_argument', { tolerance: 300 }],
    ['invalid_argument', { body: { test: 1 } }],
  ])('refuses with %s: %j', (reason, change) => {
    expect(reasonOf(change)).toBe(reason);
  });
});

it.each([
  ['evt_1', { id: 'evt_1', isTest: false, replay: 0 }],
  ['evt_1_r2', { id: 'evt_1', isTest: false, replay: 2 }],
  ['evt_1_r10', { id: 'evt_1', isTest: false, replay: 10 }],
  ['test_evt_1', { id: 'evt_1', isTest: true, replay: 0 }],
  ['evt_1_r0', { id: 'evt_1_r0', isTest: false, replay: 0 }],
  ['evt_1_r2b', { id: 'evt_1_r2b', isTest: false, replay: 0 }],
  ['_r2', { id: '_r2', isTest: false, replay: 0 }],
])('reads the webhook ID %s', (webhookId, read) => {
  expect(readWebhookId(webhookId)).toEqual(read);
});

it('writes a webhook ID that reads back', () => {
  expect(readWebhookId(formatWebhookId('evt_1', 0))).toMatchObject({ id: 'evt_1', replay: 0 });
  expect(readWebhookId(formatWebhookId('evt_1', 3))).toMatchObject({ id: 'evt_1', replay: 3 });
  expect(readWebhookId(webhookIdOfTest('evt_1'))).toMatchObject({ id: 'evt_1', isTest: true });
});
