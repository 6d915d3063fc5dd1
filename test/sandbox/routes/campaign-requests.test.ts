import { describe, expect, it } from '@jest/globals';
import type { CampaignRequest, Page } from '@screen-advertising/core';
import { problemDetail } from '../support/problem.ts';
import { type Running, start } from '../support/running-sandbox.ts';

const list = async ({ read }: Running, query = '', token?: string) =>
  (await read<Page<CampaignRequest>>(`/campaign-requests${query}`, token)).data;

describe('GET /campaign-requests', () => {
  it('returns only those of the calling access', async () => {
    const service = await start();
    for (const access of [service.full, service.second, service.limited]) {
      const own = service.sandbox.campaignRequests
        .list()
        .filter(({ accessId }) => accessId === access.id);
      const shown = await list(service, '', access.apiKey);
      expect(shown.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    }
  });

  it('has requests of every status and applies the filters', async () => {
    const service = await start();
    const all = await list(service);
    for (const status of ['rejected', 'abandoned', 'no_inventory', 'converted']) {
      const meant = all.filter((request) => request.status === status);
      expect(meant.length).toBeGreaterThan(0);
      expect(await list(service, `?status=${status}`)).toEqual(meant);
    }
    const industry = String(all[0]?.industry);
    expect(await list(service, `?industry=${industry.toUpperCase()}`)).toEqual(
      all.filter((request) => request.industry === industry),
    );
  });

  it('reads from and to as whole days in UTC, or as moments', async () => {
    const service = await start();
    const { id } = service.sandbox.campaignRequests.add({ created_at: '2027-02-10T23:30:00Z' });
    expect((await list(service, '?from=2027-02-10&to=2027-02-10')).map((r) => r.id)).toEqual([id]);
    expect(await list(service, '?from=2027-02-11')).toEqual([]);
    expect(await list(service, '?from=2027-02-01&to=2027-02-10T23:29:59Z')).toEqual([]);
  });

  it('returns pages of 50 that a cursor continues', async () => {
    const service = await start();
    for (let more = 0; more < 40; more += 1) service.sandbox.campaignRequests.add();
    const first = await service.read<Page<CampaignRequest>>('/campaign-requests');
    expect(first.data).toHaveLength(50);
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 64 });
    const rest = await list(service, `?cursor=${first.pagination.cursor}`);
    expect(rest).toHaveLength(14);
  });

  it.each([
    ['status=open', 'status must be one of rejected, abandoned, no_inventory, converted.'],
    [
      'from=monday',
      'from must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
    ],
    [
      'to=monday',
      'to must be a date in the format YYYY-MM-DD or a timestamp such as 2027-03-31T23:59:59Z.',
    ],
  ])('refuses %s', async (query, detail) => {
    const { call } = await start();
    expect(problemDetail(await call('GET', `/campaign-requests?${query}`), 400)).toBe(detail);
  });
});

describe('GET /campaign-requests/{id}', () => {
  it('returns one of the calling access', async () => {
    const { read } = await start();
    expect(await read('/campaign-requests/cr_0001')).toEqual({
      id: 'cr_0001',
      status: 'rejected',
      industry: expect.any(String),
      email: 'lead@example.com',
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    });
  });

  it('does not find an unknown one, nor that of another access', async () => {
    const { call, second } = await start();
    expect(problemDetail(await call('GET', '/campaign-requests/cr_9999'), 404)).toBe(
      'There is no campaign request cr_9999.',
    );
    const foreign = await call('GET', '/campaign-requests/cr_0001', { token: second.apiKey });
    expect(problemDetail(foreign, 404)).toBe('There is no campaign request cr_0001.');
  });
});
