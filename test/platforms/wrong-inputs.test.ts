import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSandbox } from '@screen-advertising/sandbox';
import { entered, expectVerdict } from './wrong-inputs/outcome.ts';
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

/** One of each kind; the full tier runs the whole table. */
const some = rows.filter(({ wrong }) =>
  ['25%', '12,50', 'SPRING 25', 'Österreich'].some((text) => Object.values(wrong).includes(text)),
);

describe.each(players)('%s', (_name, kind, player) => {
  it.each(some.map((row) => [row.task, row.wrong, row] as const))(
    '%s %j',
    async (_task, _wrong, row) => {
      await expectVerdict(row[kind], row, player, { sandbox, access });
    },
  );

  it('names all faults of a form at once', async () => {
    const wrong = {
      discount_type: 'half',
      discount_value: 'many',
      lead_email: 'lead',
      code: 'SPRING 25',
      max_redemptions: '5000',
      valid_until: '03/04/2099',
    };
    const error = await entered(player, access, 'coupon.create', wrong);
    for (const text of Object.values(wrong)) expect(error).toContain(text);
    expect(sandbox.journal.list()).toEqual([]);
  });
});
