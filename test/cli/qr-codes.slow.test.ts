import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Running, start } from '../sandbox/support/running-sandbox.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { environment, typed } from './command.ts';
import { startCommand } from './own-process.ts';

const folder = temporaryFolder();

const call = (service: Running, ...args: string[]) =>
  typed(['call', ...args], environment(service.baseUrl, service.full));
const lead = ['--discount_type=percent', '--discount_value=10', '--lead_email=a@example.com'];

describe('--qr', () => {
  it.each([
    ['png', 'image/png'],
    ['SVG', 'image/svg+xml'],
  ])('writes a QR code to a file that ends in .%s', async (ending, mimeType) => {
    const service = await start({ screens: 1 });
    const file = join(folder(), `link.${ending}`);
    const args = ['call', 'landingLink.create', '--field', 'utm_campaign=spring', '--qr', file];
    const env = environment(service.baseUrl, service.full);
    const { code, output, errors } = await startCommand(args, env).ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { url } = JSON.parse(output);
    expect(await readQrCode({ mimeType, bytes: await readFile(file) })).toBe(url);
  });

  it('without a file shows the QR code beside the record', async () => {
    const service = await start({ screens: 1 });
    const { code, output, errors } = await call(service, 'coupon.create', ...lead, '--qr');
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({ lead_email: 'a@example.com' });
    expect(errors).toMatch(/^(█{29}\n){2}(█{4}[ █▀▄]{21}█{4}\n){10,11}█{29}\n/);
  });

  it.each([
    [['--qr', 'coupon.jpg'], '--qr takes a file ending in .png or .svg'],
    [['--qr', '--qr_code_size=50'], 'qr_code_size must be at least 128, not 50'],
  ])('%j is an error before anything is created', async (args, message) => {
    const service = await start({ screens: 1 });
    const { code, output, errors } = await call(service, 'coupon.create', ...lead, ...args);
    expect({ code, output, errors }).toEqual({
      code: 2,
      output: '',
      errors: `Create Coupon was not sent: ${message}.\n`,
    });
    expect(service.sandbox.coupons.list()).toEqual([]);
  });

  it('prints a created coupon and a warning when the file cannot be written', async () => {
    const service = await start({ screens: 1 });
    const file = join(folder(), 'missing', 'coupon.png');
    const { code, output, errors } = await call(service, 'coupon.create', ...lead, '--qr', file);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      status: 'active',
      qr_code_warning: expect.stringMatching(
        /^Create Coupon succeeded, but without a QR code: ENOENT/,
      ),
    });
    expect(errors).toBe('');
    expect(service.sandbox.coupons.list()).toHaveLength(1);
  });
});
