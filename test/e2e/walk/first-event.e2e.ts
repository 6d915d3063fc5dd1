import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe } from 'node:test';
import { type Browser, openChromium } from '../support/chromium.ts';
import { Editor } from '../support/editor.ts';
import { say } from '../support/machine.ts';
import { waitFor } from '../support/wait.ts';
import { Clone } from './clone.ts';
import { walkThrough } from './walk.ts';

const relayCommand = 'npx -y pnpm@12 run relay --with-sandbox';
const n8nCommand = 'npx -y pnpm@12 run n8n';
const workflow = 'Welcome coupon for a referred user';

describe('a newcomer follows docs/first-event.md in a fresh clone', () => {
  let browser: Browser;
  let clone: Clone;
  let relay: ReturnType<Clone['type']>;
  let n8n: ReturnType<Clone['type']>;
  let editor: Editor;
  let begun: number;

  before(async () => {
    browser = await openChromium();
    begun = performance.now();
    clone = await Clone.make();
    note('cloned');
  });

  after(async () => {
    await browser?.close();
    await clone?.remove();
  });

  /** The guide's figures come from here. */
  const note = (what: string) =>
    say(`${what} after ${Math.round((performance.now() - begun) / 1000)} s`);

  /** What a program printed beside a name, such as an address. */
  const printed = (program: typeof relay, name: string) => {
    const [, value] = new RegExp(`^ *${name} +(\\S+)`, 'm').exec(program.text) ?? [];
    assert.ok(value, `${name} is not in:\n${program.text}`);
    return value;
  };
  const sandboxPage = (name: string) =>
    new URL(`/inspector/${name}`, printed(relay, 'Sandbox')).href;

  walkThrough('docs/first-event.md', {
    'You need Node.js 20 or newer, and 2 GB of disk space for n8n.': async () => {
      const terminal = clone.type('node --version');
      await terminal.ended;
      say(`Node.js ${terminal.text.trim()}`);
      assert.ok(Number(/\d+/.exec(terminal.text)?.[0]) >= 20);
    },
    'In a clone of this repository, start a relay and a sandbox.': async () => {
      relay = clone.type(relayCommand);
    },
    'It is ready when it prints Stop with Ctrl-C.': async () => {
      await relay.printed('Stop with Ctrl-C.');
      note('relay ready');
      assert.doesNotMatch(relay.text, /Unsupported engine|WARN/);
    },
    'Without a relay, follow these steps; if their n8n is still open, end it with Ctrl-C.':
      async () => {
        const other = createServer().listen(clone.n8nPort, '127.0.0.1');
        await once(other, 'listening');
        const refused = clone.type(n8nCommand);
        await refused.ended;
        other.close();
        assert.ok(
          refused.text.includes(
            `Port ${clone.n8nPort} is in use. End what listens there, or set N8N_PORT and SANDBOX_PORT to others.`,
          ),
        );
      },
    'In a second terminal in the same folder, open n8n.': async () => {
      n8n = clone.type(n8nCommand);
      await n8n.printed('Stop with Ctrl-C.');
      note('n8n open');
    },
    'It connects to the relay, and prints its address and how to sign in:': async () => {
      assert.ok(n8n.text.includes(`for the relay at ${new URL(printed(relay, 'API')).origin}`));
      editor = new Editor(await browser.context.newPage(), printed(n8n, 'n8n'));
    },
    'Sign in to n8n.': async () => {
      await editor.signIn({ email: printed(n8n, 'Email'), password: printed(n8n, 'Password') });
    },
    'If it greets you with an assistant, open Overview, the house icon at the left.': async () => {
      await editor.page.getByText('Overview', { exact: true }).first().click();
    },
    'Open Welcome coupon for a referred user, press Publish, and confirm it.': async () => {
      await editor.page.getByText(workflow, { exact: true }).first().click();
      await editor.page.getByTestId('canvas-node').first().waitFor();
      await editor.publish();
    },
    'The relay now delivers events to this workflow.': async () => {
      await waitFor({ what: 'the subscription', withinMs: 300_000, everyMs: 2_000 }, async () => {
        const list = clone.type(`npx -y pnpm@12 run relay subscriptions list`);
        await list.ended;
        return list.text.includes(workflow);
      });
    },
    "On the sandbox's page, http://127.0.0.1:8787, open Events, and press Fire under user.registered.":
      async () => {
        const { page } = editor;
        await page.goto(printed(relay, 'Sandbox'));
        await page.getByRole('link', { name: 'Events', exact: true }).click();
        assert.equal(page.url(), sandboxPage('events'));
        const card = page.getByRole('article').filter({ hasText: 'user.registered' });
        await card.getByRole('button', { name: 'Fire' }).click();
        await page.getByText('Event fired.').waitFor();
      },
    'In n8n, Executions shows the run.': async () => {
      const { page } = editor;
      await page.goto(new URL('/home/executions', printed(n8n, 'n8n')).href);
      const run = page.getByRole('row').filter({ hasText: workflow });
      await run.getByText('Success').first().waitFor();
    },
    "On the sandbox's page, Coupons shows the coupon, which starts with WELCOME-.": async () => {
      const { page } = editor;
      await page.goto(printed(relay, 'Sandbox'));
      await page.getByRole('link', { name: 'Coupons', exact: true }).click();
      await page
        .getByText(/^WELCOME-/)
        .first()
        .waitFor();
      note('coupon seen');
    },
    'Ctrl-C in each terminal ends everything.': async () => {
      for (const terminal of [n8n, relay]) {
        terminal.signal('SIGINT');
        await terminal.ended;
      }
      await assert.rejects(fetch(printed(n8n, 'n8n')));
      await assert.rejects(fetch(printed(relay, 'Sandbox')));
    },
    'The next run beside this relay keeps the data of both, and starts a fresh sandbox.':
      async () => {
        relay = clone.type(relayCommand);
        await relay.printed('Stop with Ctrl-C.');
        n8n = clone.type(n8nCommand);
        await n8n.printed('Stop with Ctrl-C.');
        const { page } = editor;
        await page.goto(sandboxPage('coupons'));
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.equal(await page.getByText(/^WELCOME-/).count(), 0);
        const list = clone.type('npx -y pnpm@12 run relay subscriptions list');
        await list.ended;
        assert.ok(list.text.includes(workflow));
        await page.goto(new URL('/home/workflows', printed(n8n, 'n8n')).href);
        const kept = page.getByTestId('resources-list-item-workflow').filter({ hasText: workflow });
        await kept.getByText('Published').waitFor();
        assert.equal(await kept.count(), 1);
      },
  });
});
