import { beforeEach, describe, expect, it } from '@jest/globals';
import { useScripted } from '../shared/support/scripted-service.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import { withService } from './app/use-service.ts';
import {
  createZapierRunner,
  readZapierError,
  type Service,
  type ZapierRunner,
} from './app/zapier.ts';
import type { ZapierBackend } from './app/zapier-backend.ts';
import { useBackend } from './app/zapier-backend.ts';

const started = useBackend();
let service: Service;
let backend: ZapierBackend;
let zapier: ZapierRunner;
beforeEach(() => {
  ({ service, backend, zapier } = started());
  service.sandbox.faults.clear();
});

function download(url: unknown): Promise<unknown> {
  return zapier.run('hydrators.downloadThumbnail', { inputData: { url } });
}

/** What Zapier stores with a file until a step needs it: the method and its input. */
function hydrationOf(file: unknown): { method: string; inputData: Record<string, unknown> } {
  const [, json = ''] = /^hydrate\|\|\|(.*)\|\|\|hydrate$/s.exec(String(file)) ?? [];
  const { method, bundle } = JSON.parse(json.slice(0, json.lastIndexOf('}') + 1));
  return { method, inputData: bundle };
}

describe('the picture of a screen', () => {
  it('is fetched when a later step uses it, and passed to Zapier as a file', async () => {
    const [screen] = await zapier.search('find_screen', { city: 'Berlin' });
    const file = await download(screen?.thumbnail_url);
    expect(file).toMatch(/\/files\/file-1$/);
    expect(backend.uploads.at(-1)?.name).toBe(`${screen?.id}.svg`);
    expect(await backend.uploads.at(-1)?.text()).toContain('<svg');
  });

  it.each([
    [11_000, true],
    [12_500, false],
  ])(
    'with an address of %i characters is a file: %p, and never fails the step',
    async (length, isFile) => {
      const thumbnail_url = `https://pictures.example/${'a'.repeat(length - 25)}`;
      const body = JSON.stringify({ data: [{ id: 'scr_1', thumbnail_url }], pagination: {} });
      service.sandbox.faults.add({ path: '/screens', fault: 'status', status: 200, body });
      for (const [kind, key] of [
        ['search', 'find_screen'],
        ['poll', 'new_screen'],
      ] as const) {
        const [screen] = await zapier[kind](key, { city: 'Berlin' }, { isLoadingSample: true });
        expect([key, String(screen?.thumbnail_url).length]).toEqual([key, length]);
        expect([key, typeof screen?.thumbnail]).toEqual([key, isFile ? 'string' : 'object']);
      }
    },
  );

  it('that does not exist is an error that says so', async () => {
    const { origin } = new URL(service.baseUrl);
    expect(await download(`${origin}/thumbnails/none.svg`).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message:
        'The thumbnail of the screen could not be downloaded (status 404). Replay the step, or leave the thumbnail out.',
    });
  });

  it('below the base URL is fetched with another token when the previous one has expired', async () => {
    const ended = createZapierRunner({
      baseUrl: service.baseUrl,
      credentials: service.credentialsOf('client credentials', 'full'),
      fields: { access_token: 'ended', renew_at: new Date(0).toISOString() },
      event: backend.event,
    });
    service.sandbox.journal.clear();
    const inputData = { url: `${service.baseUrl}/screens` };
    const file = await ended.run('hydrators.downloadThumbnail', { inputData });
    expect(file).toMatch(/\/files\/file-1$/);
    expect(service.calls()).toEqual(['POST /oauth/token 200', 'GET /screens 200']);
  });

  it('behind a sign-in does not make the connection start another session', async () => {
    service.sandbox.faults.add({ path: '/screens', fault: 'status', status: 401 });
    service.sandbox.journal.clear();
    expect(await download(`${service.baseUrl}/screens`).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message:
        'The thumbnail of the screen could not be downloaded (status 401). Replay the step, or leave the thumbnail out.',
    });
    expect(service.calls()).toEqual(['GET /screens 401']);
  });

  describe('that is stored elsewhere', () => {
    const moved = useScripted();

    it.each(['/../1.svg', '\\..\\1.svg'])(
      'outside of the base URL gets no key, although its address starts with it: %s',
      async (path) => {
        const { baseUrl } = moved;
        const credentials = service.credentialsOf('API key', 'full');
        const runner = createZapierRunner({ baseUrl, credentials, event: backend.event });
        const inputData = { url: `${baseUrl}${path}` };
        await runner.run('hydrators.downloadThumbnail', { inputData }).catch(() => undefined);
        expect(moved.received).toHaveLength(1);
        expect(moved.received[0]?.headers).not.toHaveProperty('authorization');
      },
    );

    /** Fetches a picture from below the base URL, where a redirect leads to this address. */
    function downloadFrom(location: string, status = 302): Promise<unknown> {
      const { sandbox, baseUrl } = service;
      sandbox.journal.clear();
      sandbox.faults.add({
        path: '/screens',
        fault: 'status',
        status,
        headers: { location },
        times: 1,
      });
      return download(`${baseUrl}/screens`).catch(readZapierError);
    }

    it.each([302, 307])('after status %i is fetched without the token', async (status) => {
      moved.on('GET /1.svg', {
        headers: { 'content-type': 'image/svg+xml' },
        body: '<svg id="1"/>',
      });
      expect(await downloadFrom(`${moved.baseUrl}/1.svg`, status)).toMatch(/\/files\/file-1$/);
      expect(await backend.uploads.at(-1)?.text()).toBe('<svg id="1"/>');
      expect(moved.received).toHaveLength(1);
      expect(moved.received[0]?.headers).not.toHaveProperty('authorization');
    });

    it.each(['http://pictures.example', 'http://127.0.0.1.example', 'ftp://pictures.example'])(
      '%s gets no request',
      async (origin) => {
        const message = `The thumbnail of the screen could not be downloaded (a redirect to ${origin}, which is not safe to follow). Replay the step, or leave the thumbnail out.`;
        expect(await downloadFrom(`${origin}/1.svg`)).toMatchObject({ message });
      },
    );

    it('gets no token either if a redirect leads back to the base URL', async () => {
      const back = `${service.baseUrl}/screens?limit=1`;
      moved.on('GET /1.svg', { status: 302, headers: { location: back } });
      await downloadFrom(`${moved.baseUrl}/1.svg`);
      expect(service.calls()).toEqual(['GET /screens 302', 'GET /screens?limit=1 401']);
    });

    it('is followed over five redirects at most', async () => {
      moved.on('GET /1.svg', { status: 307, headers: { location: '1.svg' } });
      const message =
        'The thumbnail of the screen could not be downloaded (more than 5 redirects). Replay the step, or leave the thumbnail out.';
      expect(await downloadFrom(`${moved.baseUrl}/1.svg`)).toMatchObject({ message });
      expect(moved.received).toHaveLength(5);
    });
  });

  it('on a host that cannot be reached is an error that says so', async () => {
    const gone = await withService({}, async ({ baseUrl }) => baseUrl);
    const url = `${new URL(gone).origin}/thumbnails/a.svg`;
    expect(await download(url).catch(readZapierError)).toMatchObject({
      name: 'AppError',
      message:
        'The thumbnail of the screen could not be downloaded (no response). Replay the step, or leave the thumbnail out.',
    });
  });
});

const coupon = { discount_type: 'percent', discount_value: 10 };

describe('the QR code of a landing link', () => {
  it('is a file that is drawn when a later step uses it', async () => {
    const record = await zapier.create('create_landing_link', {
      utm_campaign: 'spring',
      qr_code: 'svg',
      qr_code_size: '300',
    });
    const { method, inputData } = hydrationOf(record.qr_code);
    expect(method).toBe('hydrators.drawQrCodeFile');
    expect(inputData).toMatchObject({ text: record.url, format: 'svg', size: 300 });
    await zapier.run(method, { inputData });
    const [file = new File([], 'none')] = backend.uploads.slice(-1);
    expect(file.name).toBe('qr-code.svg');
    expect(await readQrCode({ mimeType: file.type, bytes: await file.bytes() })).toBe(record.url);
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
    const before = service.sandbox.coupons.list().length;
    expect(await zapier.create('create_coupon', input).catch(readZapierError)).toMatchObject({
      message: 'Create Coupon was not sent: QR Code Text must contain {code}.',
    });
    expect(service.sandbox.coupons.list()).toHaveLength(before);
  });

  it('is none for a coupon that does not exist', async () => {
    expect(await zapier.search('find_coupon', { code: 'NONE', qr_code: 'png' })).toEqual([]);
  });
});
