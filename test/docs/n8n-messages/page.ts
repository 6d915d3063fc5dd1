import type { INodeCredentialTestResult } from 'n8n-workflow';
import {
  type CredentialMistake,
  credentialMistakes,
  pictureOf,
} from '../../n8n/credential-mistakes.ts';
import { testCredential } from '../../n8n/engine/credential-dialog.ts';
import { credentialsOf, startWorld } from '../../n8n/world.ts';
import { messageTable } from '../message-table.ts';
import { failures, type Message, messages } from './messages.ts';

interface Dialog extends INodeCredentialTestResult {
  readonly credential: string;
  readonly when: string;
  /** What n8n's dialog shows, if it differs from the message. */
  readonly shown: string | undefined;
  /** The picture of the credential's dialog, below docs/images, without `.png`. */
  readonly picture: string;
}

type Mistake = Pick<CredentialMistake, 'when' | 'changes' | 'fault' | 'shown'>;

/** Makes every possible mistake with a credential, and records what its dialog shows. */
async function dialogs(): Promise<Dialog[]> {
  const said: Dialog[] = [];
  const world = await startWorld();
  const { host } = new URL(world.baseUrl);
  for (const [type, mistakes] of Object.entries(credentialMistakes)) {
    const data = credentialsOf(world.sandbox, world.baseUrl)[type] ?? {};
    const credential = world.engine.package.credentials.get(type)?.displayName ?? type;
    const others = 'baseUrl' in data ? otherFailures(mistakes) : [];
    for (const mistake of [...mistakes, ...others]) {
      const { when, changes = {}, fault, shown } = mistake;
      if (fault) world.sandbox.faults.add(fault);
      const result = await testCredential(world.engine, type, { ...data, ...changes });
      const message = result.message.replaceAll(host, 'service.example');
      said.push({
        credential,
        when,
        status: result.status,
        message,
        shown,
        picture: pictureOf(type),
      });
      world.sandbox.reset();
    }
  }
  await world.stop();
  return said;
}

/** Failures whose status no mistake mentions. */
function otherFailures(mistakes: readonly Mistake[]): Mistake[] {
  return Object.entries(failures)
    .filter(([status]) => !mistakes.some(({ when }) => when.endsWith(`(${status})`)))
    .map(([when, rule]) => ({ when, fault: { ...rule, path: '/screens' } }));
}

/** The guide to every message of the n8n nodes: docs/n8n-messages.md. */
export async function n8nMessagesPage(): Promise<string> {
  return pageOf(await messages(), await dialogs());
}

const head = `# n8n messages

Every message of the node **Screen Advertising** and its credentials, recorded from real failures (\`npx -y pnpm@12 run docs\`).

*Step* stands for the name of the operation, *scope* for the scopes it needs, *status* for the status of the response, and \`…\` for what the service said.

Only a problem document says what the service did. A web page, an empty response and other JSON, with any status, may come from a proxy, so their messages claim nothing about the service: with a status from 400 to 431, they read like the rows for a web page.`;

function pageOf(shown: readonly Message[], said: readonly Dialog[]): string {
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
