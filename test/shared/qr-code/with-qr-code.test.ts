import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Client, operations } from '@screen-advertising/core';
import { type QrCode, withQrCode } from '@screen-advertising/core/qr-code';
import { useBench } from '../support/bench.ts';

const bench = useBench();
const { service } = bench;
let client: Client;
beforeEach(() => {
  client = bench.client();
  service.on('POST /coupons', { status: 201, body: { code: 'BVCC 7K&M', status: 'active' } });
  service.on('POST /landing-links', { status: 201, body: { url } });
  service.on('GET /coupons/SPRING-25', { status: 200, body: { status: 'active' } });
});

const url = 'https://service.example/?utm_medium=partner_api';
const coupon = {
  discount_type: 'percent',
  discount_value: 25,
  lead_email: 'lead@example.com',
} as const;

/** A client that keeps the QR codes it gets. */
function drawing(fields: object) {
  const codes: QrCode[] = [];
  const drawn = withQrCode(client, { ...fields }, (code) => void codes.push(code));
  return { client: drawn, codes };
}

describe('the QR code', () => {
  it('of a landing link contains its URL, with defaults for screens', async () => {
    const { client, codes } = drawing({ qr_code: 'png' });
    expect(await client.call(operations['landingLink.create'], {})).toEqual({ url });
    expect(codes).toEqual([
      { text: url, format: 'png', size: 1024, quietZone: 4, errorCorrection: 'medium' },
    ]);
  });

  it.each([
    [undefined, 'BVCC 7K&M'],
    ['Your code: {code} ({code})', 'Your code: BVCC 7K&M (BVCC 7K&M)'],
    ['https://shop.example/?code={code}', 'https://shop.example/?code=BVCC%207K%26M'],
  ])('of a coupon with the text %j contains %j', async (qr_code_text, text) => {
    const { client, codes } = drawing({ qr_code: 'svg', qr_code_text });
    await client.call(operations['coupon.create'], coupon);
    expect(codes).toMatchObject([{ text, format: 'svg' }]);
  });

  it('of a coupon that is read contains the code it was read by', async () => {
    const { client, codes } = drawing({ qr_code_size: 300 });
    await client.call(operations['coupon.get'], { code: 'SPRING-25' });
    expect(codes).toMatchObject([{ text: 'SPRING-25', size: 300 }]);
  });

  it('is not made without a field for it', async () => {
    expect(drawing({}).client).toBe(client);
    expect(drawing({ qr_code: undefined }).client).toBe(client);
  });
});

describe('before anything is sent, an error names', () => {
  const tooLong = `${'x'.repeat(2400)}{code}`;
  it.each([
    [{ qr_code: 'gif' }, 'qr_code must be one of png, svg, not "gif"'],
    [{ qr_code_size: 127 }, 'qr_code_size must be at least 128, not 127'],
    [{ qr_code_quiet_zone: 3 }, 'qr_code_quiet_zone must be at least 4, not 3'],
    [
      { qr_code_error_correction: 'Q' },
      'qr_code_error_correction must be one of medium, low, quartile, high, not "Q"',
    ],
    [{ qr_code_text: '' }, 'qr_code_text must not be empty; qr_code_text must contain {code}'],
    [{ qr_code_text: 'SPRING' }, 'qr_code_text must contain {code}'],
    [
      { qr_code_text: tooLong },
      'qr_code_text has 2409 characters, too many for a QR code: shorten it, or lower the error correction',
    ],
    [
      { qr_code_size: 128, qr_code_quiet_zone: 40 },
      'qr_code_size must be at least 202 for this text and quiet zone',
    ],
  ])('%j', async (fields, message) => {
    const { client, codes } = drawing(fields);
    const error = await client.call(operations['coupon.create'], coupon).catch(String);
    expect(error).toBe(`InputError: Create Coupon was not sent: ${message}.`);
    expect(service.received).toEqual([]);
    expect(codes).toEqual([]);
  });

  it('a text for a landing link, whose QR code contains its URL', async () => {
    const { client } = drawing({ qr_code_text: '{code}' });
    const error = await client.call(operations['landingLink.create'], {}).catch(String);
    expect(error).toContain('qr_code_text is not a field of this operation');
    expect(service.received).toEqual([]);
  });
});

describe('what was created is not lost', () => {
  const warning = 'Create Landing Link succeeded, but without a QR code:';

  it('when the response has no code', async () => {
    service.on('POST /coupons', { status: 201, body: { status: 'active' } });
    const { client } = drawing({ qr_code: 'png' });
    expect(await client.call(operations['coupon.create'], coupon)).toEqual({
      status: 'active',
      qr_code_warning: 'Create Coupon succeeded, but without a QR code: The response has no code.',
    });
  });

  it('when the picture cannot be stored', async () => {
    const full = withQrCode(client, { qr_code: 'png' }, () => {
      throw new Error('The disk is full.');
    });
    const { data, status } = await full.call(operations['landingLink.create'], {}).withResponse();
    expect(status).toBe(201);
    expect(data).toEqual({ url, qr_code_warning: `${warning} The disk is full.` });
    expect(service.received).toHaveLength(1);
  });
});
