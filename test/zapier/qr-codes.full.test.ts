import { beforeEach, describe, expect, it } from '@jest/globals';
import { readQrCode } from '../support/read-qr-code.ts';
import { downloaded, hydrationOf } from './app/files.ts';
import type { ZapierRunner } from './app/runner.ts';
import { useBackend } from './app/use-service.ts';
import { readZapierError } from './app/zapier-error.ts';

const started = useBackend();
let zapier: ZapierRunner;
beforeEach(() => {
  ({ zapier } = started());
});

const coupon = { discount_type: 'percent', discount_value: 10 };

const textIn = async (file: File): Promise<string> =>
  readQrCode({ mimeType: file.type, bytes: await file.bytes() });

describe('the QR code of a landing link', () => {
  it('is a file that is drawn when a later step uses it', async () => {
    const record = await zapier.create('create_landing_link', {
      utm_campaign: 'spring',
      qr_code: 'svg',
      qr_code_size: '300',
    });
    const { method, inputData } = hydrationOf(record.qr_code);
    expect(method).toBe('hydrators.downloadQrCode');
    expect(inputData).toMatchObject({ text: record.url, format: 'svg', size: 300 });
    const file = await downloaded(zapier, started().backend, record.qr_code);
    expect(file.name).toBe('qr-code.svg');
    expect(await textIn(file)).toBe(record.url);
  });
});

describe('the form', () => {
  it.each(['creates.create_landing_link', 'searches.find_coupon'])(
    'of %s shows the look of a QR code only when a format is chosen',
    async (place) => {
      const keys = async (qr_code: string) => {
        const bundle = { inputData: { qr_code } };
        const fields = await zapier.run(`${place}.operation.inputFields`, bundle);
        return (fields as { key: string }[])
          .map(({ key }) => key)
          .filter((key) => /^qr_/.test(key));
      };
      expect(await keys('')).toEqual(['qr_code']);
      expect(await keys('png')).toEqual(expect.arrayContaining(['qr_code', 'qr_code_size']));
    },
  );
});

describe('the QR code of a coupon', () => {
  it('contains its code, also when the coupon is found', async () => {
    const qr_code_text = 'https://shop.example/redeem?code={code}';
    const input = { ...coupon, lead_email: 'a@example.com', qr_code: 'PNG', qr_code_text };
    const record = await zapier.create('create_coupon', input);
    const text = `https://shop.example/redeem?code=${record.code}`;
    expect(hydrationOf(record.qr_code).inputData).toMatchObject({
      text,
      format: 'png',
      size: 1024,
    });
    const [found] = await zapier.search('find_coupon', { code: record.code, qr_code: 'png' });
    expect(hydrationOf(found?.qr_code).inputData).toMatchObject({ text: record.code });
  });

  it('that cannot be drawn is an error before the coupon is created', async () => {
    const input = { ...coupon, lead_email: 'b@example.com', qr_code_text: 'SPRING' };
    const before = started().service.sandbox.coupons.list().length;
    expect(await zapier.create('create_coupon', input).catch(readZapierError)).toMatchObject({
      message: 'Create Coupon was not sent: QR Code Text must contain {code}.',
    });
    expect(started().service.sandbox.coupons.list()).toHaveLength(before);
  });

  it('is none for a coupon that does not exist', async () => {
    expect(await zapier.search('find_coupon', { code: 'NONE', qr_code: 'png' })).toEqual([]);
  });
});
