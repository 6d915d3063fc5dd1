import { messageTable } from '../message-table.ts';
import { type Dialog, dialogs } from './credential-mistakes.ts';
import { type Message, messages } from './messages.ts';

/** The guide to every message of the n8n nodes: docs/n8n-messages.md. */
export async function n8nMessagesPage(): Promise<string> {
  return pageOf(await messages(), await dialogs());
}

const head = `# n8n messages

Every message of the node **Screen Advertising** and its credentials, recorded from real failures (\`npx -y pnpm@12 run docs\`).

*Step* stands for the name of the operation, *scope* for the scopes it needs, *status* for the status of the response, and \`…\` for what the service said.`;

export function pageOf(shown: readonly Message[], said: readonly Dialog[]): string {
  const pictures = new Map(said.map(({ credential, picture }) => [credential, picture]));
  return `${[
    head,
    '## Operations',
    messageTable(
      ['What happened', 'Operations', 'Title', 'Description'],
      shown.map(({ operation, when, title, description }) => ({
        step: operation,
        what: when,
        texts: [title, description],
      })),
    ),
    '## Credentials',
    "What the credential test says. n8n's own words are in brackets.",
    messageTable(
      ['What is wrong', 'Credentials', 'Result', 'What the dialog says'],
      said.map((dialog) => ({
        step: dialog.credential,
        what: dialog.when,
        texts: [dialog.status, wordsOf(dialog)],
      })),
    ),
    ...[...pictures].map(([name, picture]) => `![The dialog of ${name}](images/${picture}.png)`),
  ].join('\n\n')}\n`;
}

function wordsOf({ message, shown }: Dialog): string {
  return shown === undefined ? message : `${message} (n8n: ${shown})`;
}
