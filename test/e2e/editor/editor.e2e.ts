import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readScreenshot } from '../../support/read-qr-code.ts';
import { credentialData } from '../support/set-up.ts';
import { useEditor } from '../support/use-editor.ts';
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
    sets: { 'On became abandoned': { events: ['campaign_request.abandoned'] } },
  },
];

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
    await page.setViewportSize({ width: 1600, height: 1250 });
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

  it('says that a credential works, also one whose base URL lacks the path', async () => {
    const { editor, world } = opened;
    for (const [title, type] of [
      ['Screen Advertising API', 'screenAdvertisingApi'],
      ['Screen Advertising Client Credentials API', 'screenAdvertisingClientCredentialsApi'],
    ] as const) {
      const dialog = await editor.newCredential(title);
      const { origin: baseUrl } = new URL(world.baseUrl);
      await dialog.fill({ ...credentialData(world.sandbox, world.baseUrl)[type], baseUrl });
      assert.equal(await dialog.test(), 'Connection tested successfully');
    }
  });

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

  it('finds the cheapest available screens near a place, with the distance of each', async () => {
    const { editor } = opened;
    await add('Find available screens');
    await enter(period);
    await editor.addField('Add Filter', 'Near');
    // The middle of Berlin, as a map copies it.
    await enter({ near: '52.5200, 13.4050' });
    await editor.addField('Add Filter', 'Radius in Kilometers');
    await enter({ radius_km: '4' });
    const output = await execute();
    await output.getByText('total_price', { exact: false }).first().waitFor();
    // n8n renders the rows of a list a few at a time.
    const distances = await waitFor({ what: 'two distances', withinMs: 60_000 }, async () => {
      const shown = (await output.textContent()) ?? '';
      const read = [...shown.matchAll(/distance_km\W+([\d.]+)/g)].map(([, km]) => Number(km));
      return read.length > 1 && read;
    });
    assert.deepEqual(
      distances,
      distances.toSorted((a, b) => a - b),
    );
    assert.ok((distances.at(-1) ?? 5) <= 4, String(distances));
  });

  it('explains each field of an action beside its label, and creates a coupon with a given code', async () => {
    const { editor } = opened;
    await add('Create coupon');
    // What n8n itself explains nowhere either: the choice of the action, and groups of fields.
    const known = ['Resource', 'Operation', 'Additional Fields', 'Options'];
    assert.deepEqual(await editor.unexplained(), known);
    await editor.showHelp('discount_value');
    await editor.page.getByText('at most 100').first().waitFor();
    await editor.addField('Add Field', 'Code');
    await enter({ code: 'LEAD-1042', discount_value: '10', lead_email: 'ada@example.com' });
    await (await execute()).getByText('LEAD-1042').first().waitFor();
  });

  it('"Create landing link" shows its QR code in the output panel, and it can be scanned', async () => {
    const { editor } = opened;
    const { page } = editor;
    await add('Create landing link');
    await page.getByText('Add Field', { exact: true }).click();
    await enter({ name: 'utm_campaign', value: 'screens_nearby' });
    await editor.addField('Add Option', 'QR Code');
    await editor.executeStep();
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
});
