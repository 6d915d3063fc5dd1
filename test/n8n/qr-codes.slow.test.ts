import { describe, expect, it } from '@jest/globals';
import type { INodeExecutionData } from 'n8n-workflow';
import { readQrCode } from '../support/read-qr-code.ts';
import { useWorld } from './world.ts';

const world = useWorld();

const coupon = {
  resource: 'coupon',
  operation: 'create',
  discount_value: 10,
  lead_email: 'lead@example.com',
};

function fileOf(item: INodeExecutionData | undefined) {
  const { data, mimeType, fileName } = item?.binary?.data ?? { data: '', mimeType: '' };
  return { fileName, mimeType, bytes: Buffer.from(data, 'base64') };
}

it('the QR code of a landing link is a file of its item, beside the record', async () => {
  const link = {
    resource: 'landingLink',
    operation: 'create',
    specifyFields: 'json',
    fieldsJson: '={{ { utm_campaign: $json.campaign } }}',
  };
  const campaigns = ['spring', 'autumn'].map((campaign) => ({ campaign }));
  const options = { qr_code: 'png' };
  const items = await world.items({ ...link, options }, { items: campaigns });
  expect(items).toHaveLength(campaigns.length);
  for (const [nth, item] of items.entries()) {
    expect(item.json.url).toContain(`utm_campaign=${campaigns[nth]?.campaign}`);
    const fileName = `${campaigns[nth]?.campaign}-qr-code.png`;
    expect(fileOf(item)).toMatchObject({ fileName, mimeType: 'image/png' });
    expect(await readQrCode(fileOf(item))).toBe(item.json.url);
  }
  for (const none of [{}, { qr_code: '' }]) {
    const [item] = await world.items({ ...link, options: none }, { items: campaigns });
    expect(item).not.toHaveProperty('binary');
  }
});

describe('the QR code of a coupon', () => {
  it('has the code in its name, and the field that the user chose', async () => {
    const own = { ...coupon, additionalFields: { code: 'SPRING/25' } };
    const options = { qr_code: 'svg', binaryPropertyName: 'qr' };
    const [item] = await world.items({ ...own, options });
    expect(item?.binary).toMatchObject({
      qr: { fileName: 'SPRING-25-qr-code.svg', mimeType: 'image/svg+xml' },
    });
  });

  it.each([[{ qr_code: 'png', qr_code_text: 'SPRING' }, "'QR Code Text' must contain {code}"]])(
    'that cannot be drawn (%j) is an error before the coupon is created',
    async (wrong, message) => {
      const { error } = await world.run({ ...coupon, options: wrong });
      expect(error?.message).toBe(message);
      expect(error?.description).toContain('Nothing was sent.');
      expect(world.sandbox.coupons.list()).toEqual([]);
    },
  );
});
