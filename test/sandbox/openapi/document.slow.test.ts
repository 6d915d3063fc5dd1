import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { redoclyFindings } from '../support/redocly.ts';
import { start } from '../support/running-sandbox.ts';

const folder = temporaryFolder();

it("the OpenAPI document passes redocly's recommended rules without error or warning", async () => {
  const { admin } = await start();
  const file = join(folder(), 'openapi.json');
  await writeFile(file, (await admin('GET', '/openapi.json')).text);
  expect(await redoclyFindings(file)).toEqual([]);
});
