import { describe, expect, it } from '@jest/globals';
import { tier } from '../support/tier.ts';
import { entered, expectVerdict } from './wrong-inputs/outcome.ts';
import { players } from './wrong-inputs/players.ts';
import { rows } from './wrong-inputs/rows.ts';
import { useSandbox } from './wrong-inputs/use-sandbox.ts';

const bench = useSandbox();

const examples = ['25%', '12,50', 'SPRING 25', 'Österreich'];
/** Everyday, one of each kind. */
const some = rows.filter(
  ({ wrong }) =>
    tier !== 'everyday' || examples.some((text) => Object.values(wrong).includes(text)),
);

describe.each(players)('%s', (_name, kind, player) => {
  it.each(some.map((row) => [row.task, row.wrong, row] as const))(
    '%s %j',
    async (_task, _wrong, row) => {
      await expectVerdict(row[kind], row, player, bench());
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
    const error = await entered(player, bench().access, 'coupon.create', wrong);
    for (const text of Object.values(wrong)) expect(error).toContain(text);
    expect(bench().sandbox.journal.list()).toEqual([]);
  });
});
