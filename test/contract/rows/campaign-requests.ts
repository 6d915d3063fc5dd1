import { expect } from '@jest/globals';
import { type CampaignRequest, operations } from '@screen-advertising/core';
import { at, type Bench } from '../bench.ts';
import { type Row, row } from '../row.ts';

const statuses = ['rejected', 'abandoned', 'no_inventory', 'converted'] as const;

async function all(bench: Bench, filters: object = {}): Promise<CampaignRequest[]> {
  const found: CampaignRequest[] = [];
  for await (const request of bench.client().items(operations['campaignRequest.list'], filters)) {
    found.push(request);
  }
  return found;
}

function own(bench: Bench) {
  return bench.sandbox.campaignRequests.list().filter(({ accessId }) => accessId === bench.full.id);
}

export const campaignRequestRows: readonly Row[] = [
  row(
    '4.10',
    "the calling access's own requests are listed, each once",
    async (bench) => {
      const ids = (await all(bench)).map(({ id }) => id);
      expect(ids.sort()).toEqual(
        own(bench)
          .map(({ id }) => id)
          .sort(),
      );
    },
    ['campaignRequestList', 'lastCursor'],
  ),
  ...statuses.map((status) =>
    row(
      '4.10',
      `status ${status} returns only requests with that status`,
      async (bench) => {
        const found = await all(bench, { status });
        expect(found.length).toBe(own(bench).filter((request) => request.status === status).length);
        expect(found.length).toBeGreaterThan(0);
        expect(found.filter((request) => request.status !== status)).toEqual([]);
      },
      ['campaignRequestList'],
    ),
  ),
  row(
    '4.10',
    'no other status is allowed',
    async (bench) => {
      expect([400, 422]).toContain((await bench.get('/campaign-requests?status=open')).status);
    },
    ['invalidParameter'],
  ),
  row('4.10', 'industry returns only requests of that industry', async (bench) => {
    const industry = own(bench)[0]?.industry ?? '';
    const found = await all(bench, { industry });
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((request) => request.industry !== industry)).toEqual([]);
  }),
  row('4.10', 'from and to return only requests of that period', async (bench) => {
    const times = own(bench)
      .map(({ created_at }) => created_at)
      .sort();
    const [from = '', to = ''] = [times[5], times[10]];
    const found = await all(bench, { from, to });
    expect(found).toHaveLength(6);
  }),
  row('2.7', 'a request has a status and an industry', async (bench) => {
    for (const request of await all(bench)) {
      expect(request).toMatchObject({
        status: expect.stringMatching(/^(rejected|abandoned|no_inventory|converted)$/),
        industry: expect.any(String),
      });
    }
  }),
  row(
    '4.11',
    'a request can be read by its ID',
    async (bench) => {
      const id = own(bench)[0]?.id ?? '';
      expect(await bench.client().campaignRequests.get({ id })).toMatchObject({ id });
    },
    ['singleRecord'],
  ),
  row('4.11', 'a request of another access is not found', async (bench) => {
    const foreign = bench.sandbox.campaignRequests
      .list()
      .find(({ accessId }) => accessId === bench.second.id);
    expect((await bench.get(`/campaign-requests/${foreign?.id}`)).status).toBe(404);
  }),
  row('7', 'an unknown request gets 404', async (bench) => {
    const reply = await bench.get('/campaign-requests/cr_none');
    expect(reply.status).toBe(404);
    expect(at(reply.json, 'status')).toBe(404);
  }),
];
