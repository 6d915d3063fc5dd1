import { describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { start } from '../sandbox/support/running-sandbox.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import { connect } from './support/connect.ts';

interface Content {
  readonly type: string;
  readonly data?: string;
  readonly mimeType?: string;
}

async function connected() {
  const service = await start({ screens: 1 });
  const client = await connect(environment(service.baseUrl, service.full));
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given });
    const content = result.content as Content[];
    return { ...result, content, record: result.structuredContent as Record<string, unknown> };
  };
  return { call };
}

describe('the QR code of a record', () => {
  it('is an image of the result', async () => {
    const { call } = await connected();
    const { content, record } = await call('create_landing_link', {
      utm_campaign: 'spring',
      qr_code: true,
    });
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    expect(record.url).toContain('utm_campaign=spring');
    expect(record.url).not.toContain('qr_code');
    const { data = '', mimeType = '' } = content[1] ?? {};
    expect(await readQrCode({ mimeType, bytes: Buffer.from(data, 'base64') })).toBe(record.url);
  });

  it('belongs to one result, and is refused in another form', async () => {
    const { call } = await connected();
    const lead = { discount_type: 'percent', discount_value: 10, lead_email: 'a@example.com' };
    const { content, record } = await call('create_coupon', { ...lead, qr_code: true });
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    const again = await call('create_coupon', lead);
    expect(again.record.code).toBe(record.code);
    expect(again.content).toHaveLength(2);
    const wrong = await call('create_coupon', { ...lead, qr_code: 'svg' });
    expect(wrong.content[0]).toMatchObject({
      text: 'Create Coupon was not sent: qr_code must be true or false, not "svg".',
    });
  });
});
