import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Exchange, Verdict } from './exchange.ts';

/** Prism's verdict on each exchange, in their order. */
export async function judgeWithPrism(exchanges: readonly Exchange[]): Promise<Verdict[]> {
  const lines = exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`);
  const program = path.join(__dirname, 'prism-judge.ts');
  const judge = spawn(process.execPath, ['--conditions=source', '--no-warnings', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const verdicts: Verdict[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: judge.stdout })) {
      verdicts.push(JSON.parse(line) as Verdict);
    }
  })();
  judge.stdin.write(lines.join(''));
  judge.stdin.end();
  await reading;
  if (verdicts.length !== exchanges.length) throw new Error('Prism gave up.');
  return verdicts;
}
