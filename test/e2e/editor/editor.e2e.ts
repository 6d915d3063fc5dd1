import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useEditor } from '../support/use-editor.ts';
import { waitFor } from '../support/wait.ts';

describe("the node in n8n's editor", () => {
  const opened = useEditor();

  it('is found by search, with its triggers and its actions', async () => {
    const { editor } = opened;
    const { page } = editor;
    await editor.newWorkflow();
    await editor.search('screen adv');
    await page.getByText('Screen Advertising', { exact: true }).first().waitFor();
    await page.getByText('Screen Advertising', { exact: true }).first().click();
    await page.getByText(/^Actions \(\d+\)$/).click();
    await page.getByText('On coupon redeemed', { exact: true }).waitFor();
    await page.getByText('Create coupon', { exact: true }).waitFor();
    // The list of actions is longer than the usual window.
    await page.setViewportSize({ width: 1600, height: 1250 });
    await editor.picture('node-panel');
    await page.setViewportSize({ width: 1600, height: 1000 });
  });

  it('lets a screen be chosen from a searchable list, and shows its availability', async () => {
    const { editor } = opened;
    const { page } = editor;
    await editor.newWorkflow();
    await editor.add('Get screen availability');
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
    await editor.fill('from', '2027-03-01');
    await page.keyboard.press('Tab');
    await editor.fill('to', '2027-03-07');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await editor.executeStep();
    // The table is wider than its panel.
    await editor.output.getByTestId('radio-button-json').click();
    await editor.output.getByText('available_sov_pct').waitFor();
  });

  it('explains each field of an action beside its label', async () => {
    const { editor } = opened;
    const { page } = editor;
    await editor.newWorkflow();
    await editor.add('Create coupon');
    // What n8n itself explains nowhere either: the choice of the action, and groups of fields.
    const known = ['Resource', 'Operation', 'Additional Fields', 'Options'];
    assert.deepEqual(await editor.unexplained(), known);
    await editor.showHelp('discount_value');
    await page.getByText('at most 100').first().waitFor();
  });

  it('starts a published workflow when the service delivers an event', async () => {
    const { editor, world } = opened;
    const { page } = editor;
    const relay = { baseUrl: 'https://relay.example.com', connectorKey: 'rly_key.whsec_c2VjcmV0' };
    await world.api.createCredential('My relay', 'screenAdvertisingRelayApi', relay);
    await editor.newWorkflow();
    await editor.add('On campaign request rejected');
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
