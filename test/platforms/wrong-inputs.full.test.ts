import { afterAll, beforeAll, beforeEach, describe, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { expectVerdict } from './wrong-inputs/outcome.ts';
import { type Access, players } from './wrong-inputs/players.ts';
import { rows } from './wrong-inputs/rows.ts';

const sandbox = createSandbox();
let access: Access;

beforeAll(async () => {
  const { baseUrl } = await sandbox.listen();
  access = { baseUrl, apiKey: sandbox.accesses[0].apiKey };
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

describe.each(players)('%s', (_name, kind, player) => {
  it.each(rows.map((row) => [row.task, row.wrong, row] as const))(
    '%s %j',
    async (_task, _wrong, row) => {
      await expectVerdict(row[kind], row, player, { sandbox, access });
    },
  );
});
