import { describe, expect, it } from '@jest/globals';
import { definitionOf } from '../app/definition.ts';
import { useService } from '../app/use-service.ts';

const service = useService();

/** What Zapier makes of the input, in a Zap whose zone is Berlin. */
const cases = [
  ['2027-03-01', '2027-03-01T00:00:00+01:00', '2027-03-01'],
  [' 2027-03-01 ', '2027-03-01T00:00:00+01:00', '2027-03-01'],
  ['2027-03-01T09:00:00.123456Z', '2027-03-01T10:00:00+01:00', '2027-03-01T09:00:00.123456Z'],
  ['2027-03-01T09:00-05:00', '2027-03-01T15:00:00+01:00', '2027-03-01T09:00-05:00'],
  ['2027-03-01T09:00', '2027-03-01T09:00:00+01:00', '2027-03-01T09:00:00+01:00'],
  ['next monday', '2027-03-01T00:00:00+01:00', '2027-03-01T00:00:00+01:00'],
  ['{{1__created_at}}', '2027-03-01T09:30:15.250Z', '2027-03-01T09:30:15.250Z'],
] as const;

describe.each([
  ['searches', 'find_campaign_request'],
  ['triggers', 'new_campaign_request'],
] as const)('From and To of %s.%s', (kind, key) => {
  it('are fields for times', async () => {
    const fields = (await definitionOf('public'))[kind][key]?.operation.inputFields ?? [];
    for (const name of ['from', 'to']) {
      expect(fields).toContainEqual(expect.objectContaining({ key: name, type: 'datetime' }));
    }
  });

  it.each(cases)('%s, which Zapier reads as %s, is sent as %s', async (raw, read, sent) => {
    const zapier = await service().connect();
    for (const name of ['from', 'to']) {
      service().sandbox.journal.clear();
      const bundle = { inputData: { [name]: read }, inputDataRaw: { [name]: raw } };
      // The sandbox refuses some of these: only the sent request matters here.
      await zapier.run(`${kind}.${key}.operation.perform`, bundle).catch(() => undefined);
      const [{ path } = { path: '' }] = service().sandbox.journal.list();
      expect(new URL(path, service().baseUrl).searchParams.get(name)).toBe(sent);
    }
  });
});
