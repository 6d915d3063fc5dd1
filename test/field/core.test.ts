import { describe, expect, it } from '@jest/globals';
import { useBench } from '../shared/support/bench.ts';

const bench = useBench();

describe('a developer', () => {
  it.failing('mistypes the name of a header of every request: the error names it', async () => {
    bench.service.on('GET /screens', { body: { data: [], pagination: { has_more: false } } });
    const client = bench.client({ beforeRequest: () => ({ 'bad name': 'value' }) });
    await expect(client.screens.list()).rejects.toMatchObject({
      name: 'ScreenAdvertisingError',
      message: expect.stringContaining('"bad name"'),
    });
  });
});
