import { type Dialog, dialogs } from './credential-mistakes.ts';
import { type Message, messages } from './messages.ts';

/** The guide to every message of the n8n nodes: docs/n8n-messages.md. */
export async function n8nMessagesPage(): Promise<string> {
  return pageOf(await messages(), await dialogs());
}

export function pageOf(shown: readonly Message[], said: readonly Dialog[]): string {
  const operations = group(shown, ({ operation }) => operation);
  const credentials = group(said, ({ credential }) => credential);
  return [
    '# n8n messages',
    'Every message of the node **Screen Advertising** and its credentials, recorded from real failures (`npx -y pnpm@12 run docs`). A `…` stands for what the service said.',
    '## Credentials',
    "What the credential test says, with a picture of the dialog. n8n's own words are in brackets.",
    ...credentials.map(([name, rows]) =>
      section(
        name,
        ['What is wrong', 'Result', 'What the dialog says', 'In n8n'],
        rows.map((row) => [row.when, row.status, wordsOf(row), imageOf(row)]),
      ),
    ),
    '## Operations',
    ...operations.map(([name, rows]) =>
      section(
        name,
        ['What happened', 'Title', 'Description'],
        rows.map(({ when, title, description }) => [when, title, description]),
      ),
    ),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function wordsOf({ message, shown }: Dialog): string {
  return shown === undefined ? message : `${message} (n8n: ${shown})`;
}

function imageOf({ credential, when, picture }: Dialog): string {
  return picture === undefined
    ? ''
    : `<img src="images/${picture}.png" width="400" alt="${credential}: ${when}">`;
}

function section(title: string, head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join(
    '\n',
  );
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function group<Entry>(
  entries: readonly Entry[],
  by: (entry: Entry) => string,
): Array<[string, Entry[]]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(by(entry), [...(groups.get(by(entry)) ?? []), entry]);
  return [...groups];
}
