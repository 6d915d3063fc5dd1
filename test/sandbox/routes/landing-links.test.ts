import { describe, expect, it } from '@jest/globals';
import { readQrCode } from '../../support/read-qr-code.ts';
import { problemDetail } from '../support/problem.ts';
import { start } from '../support/running-sandbox.ts';

describe('POST /landing-links', () => {
  it('responds with 201 and a working link that carries the UTM fields', async () => {
    const { call } = await start();
    const body = { utm_campaign: 'spring & more', utm_source: 'crm', note: 'for us' };
    const reply = await call('POST', '/landing-links', { body });
    expect(reply.status).toBe(201);
    const { url } = JSON.parse(reply.text) as { url: string };
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      utm_campaign: 'spring & more',
      utm_source: 'crm',
      utm_medium: 'partner_api',
    });
    expect(await (await fetch(url)).text()).toContain('spring &amp; more');
  });

  it('shows its QR code on the page it leads to, unless the link is too long', async () => {
    const { call } = await start();
    const pageOf = async (utm_campaign: string) => {
      const { text } = await call('POST', '/landing-links', { body: { utm_campaign } });
      const { url } = JSON.parse(text) as { url: string };
      const [svg = ''] = /<svg.*<\/svg>/.exec(await (await fetch(url)).text()) ?? [];
      return { url, svg };
    };
    const { url, svg } = await pageOf('spring');
    const bytes = new TextEncoder().encode(svg);
    expect(await readQrCode({ mimeType: 'image/svg+xml', bytes })).toBe(url);
    expect((await pageOf('x'.repeat(3000))).svg).toBe('');
  });

  it('always sets utm_medium=partner_api, even if another value is sent', async () => {
    const { call } = await start();
    const reply = await call('POST', '/landing-links', { body: { utm_medium: 'email' } });
    const { searchParams } = new URL(JSON.parse(reply.text).url);
    expect(searchParams.getAll('utm_medium')).toEqual(['partner_api']);
  });

  it('accepts an empty object, and rejects anything but an object', async () => {
    const { call } = await start();
    expect((await call('POST', '/landing-links', { body: {} })).status).toBe(201);
    const reply = await call('POST', '/landing-links', { body: [] });
    expect(problemDetail(reply, 400)).toBe('The body must be a JSON object.');
  });
});
