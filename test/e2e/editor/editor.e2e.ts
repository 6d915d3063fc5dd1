import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { readScreenshot } from '../../support/read-qr-code.ts';
import { nodePackage } from '../support/machine.ts';
import { useEditor } from '../support/open-world.ts';
import { waitFor } from '../support/wait.ts';

/** Some entries of each node in the panel, and what they must set in the node that they add. */
const panels = [
  {
    node: 'Screen Advertising',
    sets: {
      'On campaign paid': { events: ['campaign.paid'] },
      'Get campaign request': { resource: 'campaignRequest', operation: 'get' },
    },
  },
  {
    node: 'Screen Advertising Polling',
    sets: { 'On campaign request abandoned': { events: ['campaign_request.abandoned'] } },
  },
];

const recipeFile = (name: string) => path.join(nodePackage, `examples/${name}.json`);
/** n8n itself chooses the newest credential of any kind, and leaves the node set to another one. */
const choices = {
  'User Registered': 'Sandbox, signing secret',
  'Look Up User': 'Sandbox, client credentials',
  'Create Coupon': 'Sandbox, API key',
};

const period = { from: '2027-03-01', to: '2027-03-14' };

describe("the node in n8n's editor", () => {
  const opened = useEditor();

  before(async () => {
    await opened.browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  /** Adds an entry of the panel to a new workflow. */
  async function add(entry: string): Promise<void> {
    await opened.editor.newWorkflow();
    await opened.editor.add(entry);
  }

  async function enter(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      await opened.editor.fill(name, value);
      await opened.editor.page.keyboard.press('Tab');
    }
  }

  /** Runs the step; its output as JSON, since a table is wider than its panel. */
  async function execute() {
    const { editor } = opened;
    await editor.executeStep();
    await editor.output.getByTestId('radio-button-json').click();
    return editor.output;
  }

  /** Imports a recipe, and chooses the credential of each node that is marked in red. */
  async function importRecipe(name: string, credentials: Readonly<Record<string, string>>) {
    const { editor } = opened;
    const nodes = Object.entries(credentials);
    const marked = (count: number) =>
      waitFor({ what: `${count} red triangles`, withinMs: 30_000 }, async () => {
        return (await editor.issues.count()) === count;
      });
    await editor.importFile(recipeFile(name));
    await marked(nodes.length);
    for (const [nth, [node, credential]] of nodes.entries()) {
      await editor.openNode(node);
      await editor.showCredentials();
      await editor.page.getByText(credential).last().click();
      await editor.closeNode();
      await marked(nodes.length - 1 - nth);
    }
  }

  /** Gives the URL for production, once n8n has registered it. */
  async function publishTrigger(name: string): Promise<string> {
    const { editor, world } = opened;
    await editor.openNode(name);
    const url = await editor.productionUrl();
    await editor.closeNode();
    await editor.publish();
    await world.api.registered(url, name);
    return url;
  }

  it('is found by the words of its field, with its triggers and its actions', async () => {
    const { editor } = opened;
    const { page } = editor;
    await editor.newWorkflow();
    for (const word of ['availability', 'billboard', 'dooh']) {
      await editor.search(word);
      assert.equal((await editor.found())[0], 'Screen Advertising');
      await page.keyboard.press('Escape');
    }
    await editor.search('screen adv');
    await page.getByText('Screen Advertising', { exact: true }).first().click();
    await page.getByText(/^Actions \(\d+\)$/).click();
    await page.getByText('On coupon redeemed', { exact: true }).waitFor();
    // The list of actions is longer than the usual window.
    await page.setViewportSize({ width: 1600, height: 1300 });
    await editor.picture('node-panel');
    await page.setViewportSize({ width: 1600, height: 1000 });
  });

  for (const { node, sets } of panels) {
    it(`lists triggers and actions of ${node}, and adds what an entry says`, async () => {
      const { editor } = opened;
      assert.ok(Object.keys(sets).length > 0);
      for (const [entry, parameters] of Object.entries(sets)) {
        await editor.newWorkflow();
        await editor.open(node);
        // While the panel slides in, the one before is still there.
        const isListed = async () => (await editor.found()).includes(entry);
        await waitFor({ what: entry, withinMs: 30_000 }, isListed);
        await editor.choose(entry);
        await editor.closeNode();
        const added = (await editor.copyNodes()).at(-1)?.parameters;
        assert.deepEqual({ ...added, ...parameters }, added);
      }
    });
  }

  it('lets a screen be chosen from a searchable list, and shows its availability', async () => {
    const { editor } = opened;
    const { page } = editor;
    await add('Get screen availability');
    await page.getByTestId('rlc-input').click();
    // Finds few enough that the list shows all of them.
    await page.getByTestId('rlc-search').fill('Kantstraße');
    const names = await waitFor({ what: 'screens there', withinMs: 300_000 }, async () => {
      const found = await page.getByTestId('rlc-item').allInnerTexts();
      return found.length > 0 && found.every((name) => /Kantstraße/.test(name)) && found;
    });
    await editor.picture('screen-list');
    // n8n cuts what is longer than the field.
    const [shortest = ''] = names.sort((a, b) => a.length - b.length);
    await page.getByTestId('rlc-item').filter({ hasText: shortest.trim() }).first().click();
    await enter(period);
    await page.keyboard.press('Escape');
    await (await execute()).getByText('available_sov_pct').waitFor();
  });

  it('explains each field of an action beside its label, and creates a coupon with a given code', async () => {
    const { editor } = opened;
    await add('Create coupon');
    // What n8n itself explains nowhere either: the choice of the action, and groups of fields.
    const known = ['Resource', 'Operation', 'Additional Fields', 'Options'];
    assert.deepEqual(await editor.unexplained(), known);
    await editor.showHelp('discount_value');
    await editor.page.getByText('at most 100').first().waitFor();
    await editor.addField('Add Field', 'Code', 'code');
    await enter({ code: 'LEAD-1042', discount_value: '10', lead_email: 'ada@example.com' });
    await (await execute()).getByText('LEAD-1042').first().waitFor();
  });

  it('"Create landing link" shows its QR code in the output panel, and it can be scanned', async () => {
    const { editor } = opened;
    const { page } = editor;
    await add('Create landing link');
    // The form opens with the one field that a link needs.
    await enter({ name: 'utm_campaign', value: 'screens_nearby' });
    await editor.addField('Add Option', 'QR Code', 'qr_code');
    await editor.executeStep();
    await editor.output.getByTestId('radio-button-binary').click();
    await editor.output.getByTestId('ndv-view-binary-data').click();
    const picture = editor.output.locator('img');
    await picture.waitFor();
    const width = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
    await waitFor({ what: 'the picture', withinMs: 60_000 }, async () => (await width()) === 1024);
    const link = await readScreenshot(await picture.screenshot({ animations: 'disabled' }));
    assert.match(link, /[?&]utm_campaign=screens_nearby(&|$)/);
    assert.match(await (await fetch(link)).text(), /Sandbox landing page/);
    await page.mouse.move(0, 0);
    await editor.picture('qr-code-output');
  });

  it('marks each node of an imported recipe until its credential is chosen, of whichever kind', async () => {
    const { world } = opened;
    await importRecipe('welcome-coupon-for-referred-user', choices);
    const url = await publishTrigger('User Registered');
    const { id } = world.sandbox.webhooks.add({ url });
    await world.sandbox.fire('user.registered');
    world.sandbox.webhooks.remove(id);
    await waitFor({ what: 'the coupon', withinMs: 60_000 }, () =>
      world.sandbox.coupons.list().some(({ code }) => code.startsWith('WELCOME-')),
    );
  });

  it('starts a published workflow when the service delivers an event', async () => {
    const { editor, world } = opened;
    const { page } = editor;
    const relay = { baseUrl: 'https://relay.example.com', connectorKey: 'rly_key.whsec_c2VjcmV0' };
    await world.api.createCredential('My relay', 'screenAdvertisingRelayApi', relay);
    await add('On campaign request rejected');
    await editor.showCredentials();
    const credential = page.getByText('Sandbox, signing secret');
    await credential.waitFor();
    await editor.picture('trigger-credentials');
    await credential.click();
    const url = await editor.productionUrl();
    assert.ok(url.startsWith(`${world.api.url}/webhook/`), url);
    await editor.picture('trigger-panel');
    await editor.closeNode();
    await editor.publish();
    await world.api.registered(url, 'On campaign request rejected');
    await page.getByText('Published', { exact: true }).waitFor();
    await page.getByText('Got it').click();

    const { id } = world.sandbox.webhooks.add({ url });
    const [delivery] = await world.sandbox.fire('campaign_request.rejected');
    world.sandbox.webhooks.remove(id);
    assert.equal(delivery?.status, 'delivered', JSON.stringify(delivery?.attempts));
    await page.getByTestId('radio-button-executions').click();
    await page
      .getByText(/^Succe/)
      .first()
      .waitFor();
    await page.getByTestId('canvas-node').first().waitFor();
    await editor.picture('execution');
  });

  // Last: the credential stays.
  it("shows what the node says about a wrong key, in n8n's dialog of a credential", async () => {
    const { editor, world } = opened;
    const { page } = editor;
    const type = 'Screen Advertising API';
    // The dialog follows the width, and its picture is shown small.
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.goto(`${world.api.url}/home/credentials`);
    await page.getByTestId('add-resource-credential').first().click();
    await page.getByTestId('new-credential-type-select').locator('input').fill(type);
    await page.getByText(type, { exact: true }).first().click();
    await page.getByTestId('new-credential-type-button').click();
    await editor.fill('baseUrl', world.baseUrl);
    await editor.fill('apiKey', 'svc_not_the_right_one');
    const dialog = page.getByTestId('editCredential-modal');
    await dialog.getByTestId('credential-save-button').click();
    // n8n collapses an error.
    await dialog.getByText('More details').click();
    const said =
      'The service does not accept the API key (401). The service says: "The API key is unknown." Copy the whole key again, and check that it belongs to this base URL.';
    await dialog.getByText(said, { exact: true }).waitFor();
    // Until then n8n shows that it is still testing.
    await dialog.getByText('Retry', { exact: true }).filter({ visible: true }).waitFor();
    // n8n adds a field to each.
    const fields = dialog
      .getByTestId('credential-connection-parameter')
      .filter({ hasNotText: 'Allowed HTTP Request Domains' });
    await editor.picture('credentials/screen-advertising-api', dialog, fields.last());
  });
});
