import { describe, expect, it } from '@jest/globals';
import { useService } from '../app/use-service.ts';
import { readZapierError } from '../app/zapier-error.ts';

const service = useService();

const searches = [
  {
    key: 'find_screen',
    identifier: 'screenId',
    filter: { city: 'Berlin' },
    message:
      'Find Screen was not sent: at least one of these must be filled in: Name, Near, Country, City, Orientation, Bounding Box, Screen. A field mapped from an earlier step may have been empty.',
  },
  {
    key: 'find_campaign_request',
    identifier: 'id',
    filter: { status: 'rejected' },
    message:
      'Find Campaign Request was not sent: at least one of these must be filled in: Campaign Request, Status, From, To, Industry. A field mapped from an earlier step may have been empty.',
  },
];

describe.each(searches)('$key', ({ key, identifier, filter, message }) => {
  /** Zapier's input for a form whose fields hold `raw`, when earlier steps returned `inputData`. */
  async function search(inputData: object, raw: object = inputData) {
    const zapier = await service().connect();
    service().sandbox.journal.clear();
    const bundle = { inputData, inputDataRaw: raw };
    return zapier.run(`searches.${key}.operation.perform`, bundle).catch(readZapierError);
  }

  it.each([
    ['the form is empty', {}],
    ['every field is empty', { [identifier]: '', ...emptied(filter) }],
    ['there are only spaces', { [identifier]: ' ', name: '  ', ...emptied(filter, ' ') }],
  ])('does not continue with any record when %s', async (_what, inputData) => {
    const error = await search(inputData, {});
    expect(error).toEqual({ name: 'AppError', code: 'invalid_input', message });
    expect(service().calls()).toEqual([]);
  });

  it('returns no record for an ID that an earlier step left empty, whatever the filters', async () => {
    const mapped = { [identifier]: '{{42__id}}' };
    const nothing = { results: [], paging_token: null };
    expect(await search({ [identifier]: '', ...filter }, { ...mapped, ...filter })).toEqual(
      nothing,
    );
    expect(await search({ [identifier]: ' ' }, mapped)).toEqual(nothing);
    expect(service().calls()).toEqual([]);
  });

  it('uses the filters when the ID was never filled in', async () => {
    const found = { results: expect.arrayContaining([expect.objectContaining(filter)]) };
    expect(await search({ [identifier]: '', ...filter }, filter)).toMatchObject(found);
  });
});

function emptied(filter: object, value = ''): Record<string, string> {
  return Object.fromEntries(Object.keys(filter).map((name) => [name, value]));
}
