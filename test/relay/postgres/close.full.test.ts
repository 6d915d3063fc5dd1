import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { createRelay } from '@screen-advertising/relay';

it('a relay that stops its own PostgreSQL has closed every connection before', async () => {
  const errors: unknown[] = [];
  const relay = await createRelay({
    dataDir: mkdtempSync(path.join(tmpdir(), 'close-')),
    onError: (error) => errors.push(error),
  });
  await relay.listen();
  await relay.close();
  expect(errors).toEqual([]);
});
