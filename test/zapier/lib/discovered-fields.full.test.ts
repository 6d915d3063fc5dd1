import { describe, expect, it, jest } from '@jest/globals';
import { definitionOf } from '../app/definition.ts';
import type { ZapierRunner } from '../app/runner.ts';
import { credentialKinds } from '../app/service.ts';
import { useService } from '../app/use-service.ts';

const service = useService();

const screens = '/screens';
const campaignRequests = '/campaign-requests';

/** What a record of the service may contain beyond the known fields. */
const unknown = {
  currency: 'EUR',
  updated_at: '2027-03-01T09:00:00Z',
  checked_at: 'never',
  floor: 2,
  is_indoor: true,
  nothing_yet: null,
  tags: ['busy'],
  owner: { name: 'Somebody', address: { zip: '10557' } },
  '': 'no name',
};

const found = (prefix: string, label: string) => [
  { key: `${prefix}currency`, label: `${label}Currency`, type: 'string' },
  { key: `${prefix}updated_at`, label: `${label}Updated At`, type: 'datetime' },
  { key: `${prefix}checked_at`, label: `${label}Checked At`, type: 'string' },
  { key: `${prefix}floor`, label: `${label}Floor`, type: 'number' },
  { key: `${prefix}is_indoor`, label: `${label}Is Indoor`, type: 'boolean' },
  { key: `${prefix}nothing_yet`, label: `${label}Nothing Yet`, type: 'string' },
  { key: `${prefix}tags`, label: `${label}Tags`, list: true },
  { key: `${prefix}owner__name`, label: `${label}Owner Name`, type: 'string' },
  { key: `${prefix}owner__address__zip`, label: `${label}Owner Address Zip`, type: 'string' },
];

const steps = [
  ['searches', 'find_screen', screens, found('', '')],
  ['triggers', 'new_screen', screens, found('', '')],
  ['searches', 'find_available_screens', screens, found('screen__', 'Screen ')],
  ['triggers', 'screen_availability_changed', screens, found('screen__', 'Screen ')],
  ['searches', 'find_campaign_request', campaignRequests, found('', '')],
  ['triggers', 'new_campaign_request', campaignRequests, found('', '')],
] as const;

function shown(zapier: ZapierRunner, kind: string, key: string) {
  return zapier.run(`${kind}.${key}.operation.outputFields`);
}

/** The next page of the list, whatever the sandbox holds. */
function answerOnce(path: string, data: readonly object[]): void {
  const body = JSON.stringify({ data, pagination: { has_more: false } });
  const answered = { status: 200, body, contentType: 'application/json', times: 1 } as const;
  service().sandbox.faults.add({ fault: 'status', ...answered, path });
}

describe.each(steps)(
  'the fields of %s.%s that can be mapped before a test',
  (kind, key, path, others) => {
    const known = async () =>
      (await definitionOf('public'))[kind][key]?.operation.outputFields ?? [];

    it('are the known ones, and those that one record of the service has', async () => {
      const zapier = await service().connect();
      answerOnce(path, [
        { id: 'a_1', ...unknown },
        { id: 'a_2', more: 1 },
      ]);
      service().sandbox.journal.clear();
      expect(await shown(zapier, kind, key)).toEqual([...(await known()), ...others]);
      expect(service().calls()).toHaveLength(1);
    });

    it.each([
      [
        'there is no record',
        { status: 200, body: '{"data":[],"pagination":{}}', contentType: 'application/json' },
      ],
      ['the service fails', { status: 500 }],
      ['the credentials are refused', { status: 401 }],
      ['a scope is missing', { status: 403 }],
      ['the rate limit is reached', { status: 429, headers: { 'retry-after': '12' } }],
      [
        'the record is none',
        { status: 200, body: '{"data":["a"]}', contentType: 'application/json' },
      ],
    ])('are the known ones when %s', async (_what, fault) => {
      for (const credentials of credentialKinds) {
        const zapier = await service().connect({ kind: credentials });
        service().sandbox.faults.add({ fault: 'status', ...fault, path });
        expect(await shown(zapier, kind, key)).toEqual(await known());
        service().sandbox.faults.clear();
      }
    });
  },
);

it('reads the record with another token when the current one expires soon', async () => {
  const zapier = await service().connect({ kind: 'client credentials' });
  const later = Date.now() + 3_590_000;
  jest.spyOn(Date, 'now').mockReturnValue(later);
  answerOnce(screens, [{ id: 'a_1', ...unknown }]);
  service().sandbox.journal.clear();
  expect(await shown(zapier, 'searches', 'find_screen')).toEqual(
    expect.arrayContaining(found('', '')),
  );
  jest.restoreAllMocks();
  expect(service().calls()).toEqual(['POST /oauth/token 200', 'GET /screens?limit=1 200']);
});

it('shows no more than a hundred fields of a record', async () => {
  const zapier = await service().connect();
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_none, index) => [`f_${index}`, index]),
  );
  answerOnce(campaignRequests, [many]);
  const fields = (await shown(zapier, 'searches', 'find_campaign_request')) as unknown[];
  expect(fields).toHaveLength(3 + 100);
});
