import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { credentialData } from '../support/set-up.ts';
import { useEditor } from '../support/use-editor.ts';
import { walkThrough } from './walk.ts';

const firstEvent = 'test/e2e/walk/first-event.e2e.ts';
const openN8n = 'test/e2e/open-n8n.e2e.ts';
const inEditor = 'test/e2e/editor/editor.e2e.ts';
const nearAndQrCode = 'test/e2e/editor/near-and-qr-code.e2e.ts';

describe('a newcomer follows docs/n8n.md', () => {
  const opened = useEditor();

  const add = async (entry: string) => {
    await opened.editor.newWorkflow();
    await opened.editor.add(entry);
  };
  const executed = async (output: RegExp) => {
    await opened.editor.page.keyboard.press('Tab');
    await opened.editor.executeStep();
    await opened.editor.output.getByText(output).first().waitFor();
  };
  /** Fills in a new credential as for the sandbox, and gives what its test says. */
  const tested = async (changes: Readonly<Record<string, string>>) => {
    const dialog = await opened.editor.newCredential('Screen Advertising API');
    const right = credentialData(opened.world.sandbox, opened.world.baseUrl).screenAdvertisingApi;
    await dialog.fill({ ...right, ...changes });
    return await dialog.test();
  };
  const succeeded = 'Connection tested successfully';

  walkThrough('docs/n8n.md', {
    'Look around first.': openN8n,
    'In a clone of this repository, this opens a real n8n with the Screen Advertising node, a sandbox (a copy of the service on your machine), credentials and the recipes:':
      openN8n,
    'It needs Node.js 20 or newer and 2 GB of disk space.': firstEvent,
    'It prints the address of n8n and how to sign in.': firstEvent,
    'Ctrl-C ends everything.': openN8n,
    'If port 5678 is taken, put N8N_PORT=5680 before the command.': openN8n,
    'To use your own n8n instead, follow the steps below.': 'test/e2e/walk/n8n-guide.e2e.ts',
    'You need credentials from the Screen Advertising team, or a sandbox:':
      'test/docs/commands/scripts.full.test.ts',
    'In n8n, open Settings, Community nodes, press Install a community node, and enter n8n-nodes-screen-advertising.':
      async () => {
        const { page } = opened.editor;
        await page.goto(new URL('/settings/community-nodes', opened.world.api.url).href);
        await page.getByRole('button', { name: 'Install a community node' }).click();
        await page.getByText('Install community nodes').first().waitFor();
      },
    'To install it from a clone, on the machine that n8n runs on, run this and restart n8n:':
      'test/packages/consumers/by-hand.ts',
    'The node panel now finds Screen Advertising:': async () => {
      await opened.editor.newWorkflow();
      await opened.editor.search('Screen Advertising');
      assert.ok((await opened.editor.found()).includes('Screen Advertising'));
    },
    'An API key, which starts with svc_ | Screen Advertising API': async () => {
      await opened.editor.newCredential('Screen Advertising API');
      await opened.editor.field('apiKey').waitFor();
    },
    'A client ID and a client secret | Screen Advertising Client Credentials API': async () => {
      await opened.editor.newCredential('Screen Advertising Client Credentials API');
      for (const name of ['clientId', 'clientSecret']) {
        await opened.editor.field(name).waitFor();
      }
    },
    'For the sandbox, enter the base URL http://127.0.0.1:8787/api/v1 and the API key svc_sandbox_full_4f7d2c9a61.':
      async () => {
        const changes = { apiKey: 'svc_sandbox_full_4f7d2c9a61' };
        assert.equal(await tested(changes), succeeded);
      },
    'If you leave out /api/v1, n8n adds it.': async () => {
      const { origin } = new URL(opened.world.baseUrl);
      assert.equal(await tested({ baseUrl: origin }), succeeded);
    },
    'n8n tests the credential when you save it.': async () => {
      assert.equal(await tested({}), succeeded);
    },
    'If something is wrong, it says what (all messages):':
      'test/e2e/editor/credentials.pictures.ts',
    'Add --host 0.0.0.0 to the command that starts the sandbox.': 'test/sandbox/cli/run.test.ts',
    // Docker is not on the machines that run these tests.
    'Start n8n so that it can reach your machine:': 'test/docs/commands/kinds.ts',
    'The base URL is then http://host.docker.internal:8787/api/v1.':
      'test/shared/client/base-url.test.ts',
    'If sandbox and n8n are services of one compose file, it is http://sandbox:8787/api/v1.':
      'test/shared/client/base-url.test.ts',
    'A sandbox with a public host name needs https and the option --allow-host.':
      'test/sandbox/http/host-guard.test.ts',
    'To send events to n8n, the sandbox uses http://127.0.0.1:5678.': inEditor,
    'In a new workflow, add Screen Advertising, Get many screens.': () => add('Get many screens'),
    'Under Filters, set City to Berlin, and press Execute step.': async () => {
      await opened.editor.addField('Add Filter', 'City');
      await opened.editor.fill('city', 'Berlin');
      await executed(/\d+ items/);
    },
    'You get one item per screen.': async () => {
      const screens = opened.world.sandbox.screens
        .list()
        .filter(({ city, bookable }) => city === 'Berlin' && bookable);
      await opened.editor.output.getByText(`${screens.length} items`).waitFor();
    },
    'Add Find available screens and choose two dates.': async () => {
      await add('Find available screens');
      await opened.editor.fill('from', '2027-03-01');
      await opened.editor.page.keyboard.press('Tab');
      await opened.editor.fill('to', '2027-03-07');
      await executed(/50 items/);
    },
    'You get the 50 cheapest screens with the price for the whole period.': () =>
      opened.editor.output.getByText('total_price', { exact: true }).first().waitFor(),
    'Filter by city, available share of ad time, or budget.': async () => {
      for (const name of ['City', 'Minimum Available Share of Voice', 'Budget per Screen']) {
        await opened.editor.addField('Add Filter', name);
      }
    },
    'Add Get screen and choose a screen from the list:': inEditor,
    'Add Create coupon.': () => add('Create coupon'),
    'Under Additional Fields, set Code to a value that stays the same for each lead, such as their ID.':
      async () => {
        await opened.editor.addField('Add Field', 'Code');
        await opened.editor.fill('code', 'LEAD-1042');
        await opened.editor.fill('discount_value', '10');
        await opened.editor.fill('lead_email', 'ada@example.com');
        await executed(/LEAD-1042/);
      },
    'A retry then creates no second coupon.': 'test/n8n/faults.test.ts',
    'More on that.': 'test/structure/documents.test.ts',
    'In Get many screens, Find available screens or the polling trigger, add the filter Near and paste the latitude and longitude from a map, such as 52.5200, 13.4050.':
      nearAndQrCode,
    'Radius in Kilometers limits the distance.': nearAndQrCode,
    'Each screen has its distance_km, nearest first; Sort By puts the cheapest first.':
      'test/n8n/near.test.ts',
    'A hint above the output counts the screens without coordinates.': 'test/n8n/near.test.ts',
    'In Create landing link, add the option QR Code.': nearAndQrCode,
    'The output has a Binary tab; press View there:': nearAndQrCode,
    'Attach the file data in an email node.': 'test/recipes/screens-near-new-lead.full.test.ts',
    'Create coupon and Get coupon have the option, too, with QR Code Text for an address such as https://shop.example/redeem?code={code}.':
      'test/n8n/qr-codes.test.ts',
    'Screens near a new lead uses both.': 'test/recipes/screens-near-new-lead.full.test.ts',
    'Your first event shows it in ten minutes.': firstEvent,
    'In your own n8n, search for Screen Advertising and choose one of its Triggers.': () =>
      add('On coupon redeemed'),
    'Trigger On takes more events.': async () => {
      await opened.editor.field('events').click();
      await opened.editor.page.getByText('Campaign Paid', { exact: true }).first().waitFor();
    },
    'They arrive directly from the service or through a relay, a small server of yours; choose the matching credential:':
      inEditor,
    'Each event starts an execution:': inEditor,
    'If your n8n cannot receive webhooks, use the Screen Advertising Polling Trigger.':
      'test/n8n/polling-trigger.relay.test.ts',
    "It also starts a workflow when a screen's availability changes.":
      'test/n8n/polling-trigger.screens.test.ts',
    'Import a recipe.': 'test/e2e/editor/workflows.e2e.ts',
    'Look up a message in limits and errors.': 'test/docs/guides.full.test.ts',
    'Run n8n in queue mode.': 'test/e2e/cluster/cluster.e2e.ts',
  });
});
