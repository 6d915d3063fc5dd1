import { describe, expect, it } from '@jest/globals';
import { problemDetail } from '../support/problem.ts';
import { start } from '../support/running-sandbox.ts';

describe('POST /landing-links', () => {
  it('answers 201 with a link that carries the UTM fields, and leads somewhere', async () => {
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

  it('always says utm_medium=partner_api, also when another is wanted', async () => {
    const { call } = await start();
    const reply = await call('POST', '/landing-links', { body: { utm_medium: 'email' } });
    const { searchParams } = new URL(JSON.parse(reply.text).url);
    expect(searchParams.getAll('utm_medium')).toEqual(['partner_api']);
  });

  it('takes an empty object, and refuses what is none', async () => {
    const { call } = await start();
    expect((await call('POST', '/landing-links', { body: {} })).status).toBe(201);
    const reply = await call('POST', '/landing-links', { body: [] });
    expect(problemDetail(reply, 400)).toBe('The body must be a JSON object.');
  });
});
