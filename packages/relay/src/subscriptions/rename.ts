import type { RelayContext } from '../context.ts';

/** Gives a subscription another name. */
export async function rename(
  { db }: RelayContext,
  subscription: number,
  name: string,
): Promise<void> {
  await db.updateTable('subscription').set({ name }).where('number', '=', subscription).execute();
}
