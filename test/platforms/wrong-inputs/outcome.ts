import { expect } from '@jest/globals';
import type { Access, CompoundOperationName, Input, Player } from './players.ts';
import { type Row, right, type Verdict } from './rows.ts';
import type { Bench } from './use-sandbox.ts';

/** The text that a person reads after entering this; undefined for a success. */
export async function entered(
  player: Player,
  access: Access,
  task: CompoundOperationName,
  wrong: Input,
) {
  return player(access, task, { ...right[task], ...wrong });
}

/** One cell of the table: accepted as meant, or refused with a quote and how to write it. */
export async function expectVerdict(
  verdict: Verdict,
  { task, wrong }: Row,
  player: Player,
  { sandbox, access }: Bench,
): Promise<void> {
  const error = await entered(player, access, task, wrong);
  if ('sent' in verdict) {
    expect(error).toBeUndefined();
    const requests = sandbox.journal.list();
    const received = requests.map(({ path, requestBody = '' }) => `${path} ${requestBody}`);
    expect(received.join('\n')).toContain(verdict.sent);
    return;
  }
  expect(error).toContain(verdict.how);
  const quoted = Object.values(wrong).filter((text) => error?.includes(text.trim()));
  expect(quoted).not.toEqual([]);
}
