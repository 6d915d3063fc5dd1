import { expect, test } from '@jest/globals';
import { deliveryWebhookId, readWebhookId, testWebhookId } from '@screen-advertising/core/webhooks';

test.each([
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

test('writes a webhook ID that reads back', () => {
  expect(readWebhookId(deliveryWebhookId('evt_1', 0))).toMatchObject({ id: 'evt_1', replay: 0 });
  expect(readWebhookId(deliveryWebhookId('evt_1', 3))).toMatchObject({ id: 'evt_1', replay: 3 });
  expect(readWebhookId(testWebhookId('evt_1'))).toMatchObject({ id: 'evt_1', isTest: true });
});
