import type { Case, TableRow } from './case.ts';
import { caseServer } from './case-server.ts';
import { encodings } from './cases/encodings.ts';
import { heads } from './cases/heads.ts';
import { informational } from './cases/informational.ts';
import { lengths } from './cases/lengths.ts';
import { statuses } from './cases/statuses.ts';
import type { Differences } from './differences.ts';
import { unsentRows } from './unsent.ts';

const cases: readonly Case[] = [...informational, ...statuses, ...heads, ...lengths, ...encodings];

/** What servers and proxies do, while they listen, and what every transport must make of it. */
export interface Table {
  readonly rows: readonly TableRow[];
  close(): Promise<void>;
}

export async function openTable(): Promise<Table> {
  const server = await caseServer(cases);
  const [unsent, servers] = await unsentRows();
  const answered = cases.map(({ name, law, isEndless = false }, nth) => {
    const url = `http://127.0.0.1:${server.port}/${nth}`;
    return { name, law, isEndless, url };
  });
  return {
    rows: [...answered, ...unsent],
    close: async () => void (await Promise.all([server, ...servers].map((one) => one.close()))),
  };
}

/** The request of a row, and its outcome. */
export function expectedOf({ name, law, url, isEndless }: TableRow, differences: Differences) {
  const outcome = differences[name] ?? law;
  const timeoutMs = outcome.startsWith('timeout') ? 500 : isEndless ? 5000 : 60_000;
  return { url, timeoutMs, outcome };
}
