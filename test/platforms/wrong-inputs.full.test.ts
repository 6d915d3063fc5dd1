import { describe, it } from '@jest/globals';
import { expectVerdict } from './wrong-inputs/outcome.ts';
import { players } from './wrong-inputs/players.ts';
import { rows } from './wrong-inputs/rows.ts';
import { useSandbox } from './wrong-inputs/use-sandbox.ts';

const bench = useSandbox();

describe.each(players)('%s', (_name, kind, player) => {
  it.each(rows.map((row) => [row.task, row.wrong, row] as const))(
    '%s %j',
    async (_task, _wrong, row) => {
      await expectVerdict(row[kind], row, player, bench());
    },
  );
});
