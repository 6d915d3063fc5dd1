import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@screen-advertising/core';
import { honest, loosely, refusalOf, secret, time, utf8 } from './delivery.ts';

const options = { secrets: [secret], now: () => time * 1000 };

describe('verifyWebhook', () => {
  it('returns the event of a signed delivery', () => {
    const body = utf8('{"id":"evt_1","type":"campaign.paid","data":{"amount_cents":129900}}');
    expect(verifyWebhook({ ...honest(body), ...options })).toEqual({
      id: 'evt_1',
      type: 'campaign.paid',
      data: { amount_cents: 129900 },
      payload: { id: 'evt_1', type: 'campaign.paid', data: { amount_cents: 129900 } },
      scheme: { algorithm: 'sha256', signedContent: '{t}.{body}', key: 'text' },
    });
  });

  it('does not read a body that was not signed', () => {
    const refusal = refusalOf(() =>
      verifyWebhook({ ...honest(), body: 'not even JSON', ...options }),
    );
    expect(refusal?.reason).toBe('signature_mismatch');
  });

  it('refuses a signed body that is not JSON, with a typed error', () => {
    const refusal = refusalOf(() => verifyWebhook({ ...honest('<html>'), ...options }));
    expect(refusal?.reason).toBe('malformed_body');
    expect(refusal?.message).toBe('The body of the delivery cannot be read: it is not JSON.');
  });

  it('refuses invalid options with a typed error', () => {
    expect(refusalOf(() => loosely(verifyWebhook)())?.reason).toBe('invalid_argument');
  });
});
