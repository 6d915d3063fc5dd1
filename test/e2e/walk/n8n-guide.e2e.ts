import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { credentialData } from '../support/set-up.ts';
import { useEditor } from '../support/use-editor.ts';
import { walkThrough } from './walk.ts';

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
    'In n8n, open Settings, Community nodes, press Install a community node, and enter n8n-nodes-screen-advertising.':
      async () => {
        const { page } = opened.editor;
        await page.goto(new URL('/settings/community-nodes', opened.world.api.url).href);
        await page.getByRole('button', { name: 'Install a community node' }).click();
        await page.getByText('Install community nodes').first().waitFor();
      },
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
    'Add Create coupon.': () => add('Create coupon'),
    'Under Additional Fields, set Code to a value that stays the same for each lead, such as their ID.':
      async () => {
        await opened.editor.addField('Add Field', 'Code');
        await opened.editor.fill('code', 'LEAD-1042');
        await opened.editor.fill('discount_value', '10');
        await opened.editor.fill('lead_email', 'ada@example.com');
        await executed(/LEAD-1042/);
      },
    'In your own n8n, search for Screen Advertising and choose one of its Triggers.': () =>
      add('On coupon redeemed'),
    'Trigger On takes more events.': async () => {
      await opened.editor.field('events').click();
      await opened.editor.page.getByText('Campaign Paid', { exact: true }).first().waitFor();
    },
  });
});
