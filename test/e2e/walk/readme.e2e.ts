import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { operations } from '@screen-advertising/core';
import { type Browser, openChromium } from '../support/chromium.ts';
import { Clone } from './clone.ts';
import { walkThrough } from './walk.ts';

const links = 'test/structure/documents.test.ts';
const commands = 'test/docs/commands.full.test.ts';

describe('a newcomer follows README.md in a fresh clone', () => {
  let clone: Clone;
  let browser: Browser;

  before(async () => {
    clone = await Clone.make();
    browser = await openChromium();
  });

  after(async () => {
    await browser?.close();
    await clone?.remove();
  });

  walkThrough('README.md', {
    'The Screen Advertising service sells ad time on physical screens.': links,
    'Automate it from n8n, Zapier or your own code: find screens, create coupons and landing links, look up users, and react when a user registers or a campaign is paid.':
      'test/platforms/same-automation.test.ts',
    'For partners of the service, and for those who want to try it before they have access.': links,
    'See it work.': links,
    'In a clone of this repository, with Node.js 20 or newer:': 'test/e2e/walk/first-event.e2e.ts',
    'In a few seconds, this runs every operation and event against a sandbox, a copy of the service on your machine.':
      async () => {
        const terminal = clone.type('npx -y pnpm@12 start');
        await terminal.ended;
        for (const { title } of Object.values(operations)) {
          assert.ok(terminal.printed().includes(title), `${title} in:\n${terminal.printed()}`);
        }
        assert.doesNotMatch(terminal.printed(), /Unsupported engine|Ignored build scripts|approve/);
      },
    'To click through the sandbox yourself, start it with npx -y pnpm@12 run sandbox:':
      async () => {
        const terminal = clone.type(`npx -y pnpm@12 run sandbox --port ${clone.sandboxPort}`);
        await terminal.shows(`http://127.0.0.1:${clone.sandboxPort}`);
        const page = await browser.context.newPage();
        await page.goto(`http://127.0.0.1:${clone.sandboxPort}`);
        await page.getByRole('heading', { name: 'Start', exact: true }).waitFor();
        terminal.signal('SIGINT');
        await terminal.ended;
      },
    'Build workflows in n8n | n8n in five minutes · the package': links,
    'Build Zaps | Zapier in five minutes · the app': links,
    'Import a ready-made automation | Seven recipes': links,
    'Receive events | Your first event in ten minutes · real events': links,
    'Run a relay, which stores events and delivers them | The package · host it · operate it · its page':
      links,
    'Try everything without access | The sandbox · the package': links,
    'Call the service from code | The core client · recipes': links,
    'Call it from a shell or an AI assistant | Command line · MCP server': links,
    'Fix an error | Limits and errors · n8n messages · Zapier messages': links,
    'Change this project | For developers · decisions': links,
    'Hand in the n8n node and the Zapier app | Submission': links,
    "See what the service's specification leaves open | Assumptions": links,
    'Compare speed | Benchmarks': links,
    'npx -y pnpm@12 run sandbox | Starts a sandbox to connect to': commands,
    'npx -y pnpm@12 run n8n | Opens a real n8n with the Screen Advertising node, a sandbox, credentials and the recipes':
      'test/e2e/open-n8n.e2e.ts',
    'npx -y pnpm@12 run relay --with-sandbox | Starts a relay and a sandbox that delivers to it':
      'test/e2e/walk/first-event.e2e.ts',
    'npx -y pnpm@12 run cli call --help | Sends requests from a shell': 'test/cli/readme.test.ts',
    'npx -y pnpm@12 run mcp --with-sandbox | Serves the MCP tools with a sandbox behind them':
      'test/mcp/program.full.test.ts',
    'npx -y pnpm@12 run openapi | Prints the OpenAPI 3.1 description':
      'test/docs/commands/scripts.full.test.ts',
    'npx -y pnpm@12 test | Runs the everyday tests in two minutes': commands,
    'npx -y pnpm@12 run build | Builds all packages': commands,
    'docs/developing.md lists the commands for developers.': 'docs/developing.md',
    MIT: 'LICENSE',
  });
});
