import { describe, expect, it } from '@jest/globals';
import type { CampaignRequest, Page } from '@screen-advertising/core';
import { readQrCode } from '../../support/read-qr-code.ts';
import { start } from '../support/running-sandbox.ts';

it('GET /users/lookup finds by email address and by VAT ID, ignoring case', async () => {
  const { read } = await start();
  const byEmail = await read('/users/lookup?email=LEAD@example.com');
  expect(byEmail).toMatchObject({ data: { user_id: 'usr_0001' } });
  expect(await read('/users/lookup?vat_uid=de123456789')).toEqual(byEmail);
});

describe('GET /campaign-requests', () => {
  it.each(['rejected', 'abandoned', 'no_inventory', 'converted'])(
    'returns the own requests with the status %s and no others',
    async (status) => {
      const { sandbox, read, full } = await start();
      const { data } = await read<Page<CampaignRequest>>(`/campaign-requests?status=${status}`);
      const all = sandbox.campaignRequests.list();
      const own = all.filter((one) => one.accessId === full.id && one.status === status);
      expect(data.length).toBeGreaterThan(0);
      expect(data.map(({ id }) => id).toSorted()).toEqual(own.map(({ id }) => id).toSorted());
    },
  );

  it('reads from and to as whole days in UTC, or as moments, and industry in any case', async () => {
    const { sandbox, read } = await start();
    const { id, industry } = sandbox.campaignRequests.add({ created_at: '2027-02-10T23:30:00Z' });
    const list = async (query: string) =>
      (await read<Page<CampaignRequest>>(`/campaign-requests?${query}`)).data.map((one) => one.id);
    expect(await list('from=2027-02-10&to=2027-02-10')).toEqual([id]);
    expect(await list(`from=2027-02-10&industry=${industry?.toUpperCase()}`)).toEqual([id]);
    expect(await list('from=2027-02-11')).toEqual([]);
    expect(await list('from=2027-02-01&to=2027-02-10T23:29:59Z')).toEqual([]);
  });

  it('returns pages of 50 that a cursor continues', async () => {
    const { sandbox, read } = await start();
    for (let more = 0; more < 40; more += 1) sandbox.campaignRequests.add();
    const first = await read<Page<CampaignRequest>>('/campaign-requests');
    expect(first.data).toHaveLength(50);
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 64 });
    const path = `/campaign-requests?cursor=${first.pagination.cursor}`;
    expect((await read<Page<CampaignRequest>>(path)).data).toHaveLength(14);
  });
});

describe('POST /landing-links', () => {
  it('responds with a working link that carries the UTM fields, and always utm_medium=partner_api', async () => {
    const { call } = await start();
    const utm = { utm_campaign: 'spring & more', utm_source: 'crm' };
    const body = { ...utm, utm_medium: 'email', note: 'for us' };
    const { url } = JSON.parse((await call('POST', '/landing-links', { body })).text);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      ...utm,
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
});
