import { describe, expect, it } from '@jest/globals';
import { useService } from '../zapier/app/use-service.ts';
import { readZapierError } from '../zapier/app/zapier-error.ts';

const service = useService();

describe('a user of the editor', () => {
  it.failing('tests Find or Create with a screen that is not there: it can create', async () => {
    const zapier = await service().connect();
    const search = zapier.search('find_screen', { city: 'Berln' }, { isLoadingSample: true });
    expect(await search.catch(readZapierError)).toEqual([]);
  });
});
