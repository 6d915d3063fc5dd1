import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, openChromium } from '../support/chromium.ts';
import { Editor } from '../support/editor.ts';
import { webhookUrl } from '../support/set-up.ts';
import { openWorld, type World } from '../support/open-world.ts';
import { waitFor } from '../support/wait.ts';

const untilReady = { timeout: 1_200_000 };

describe("the node in n8n's editor", { timeout: 300_000 }, () => {
  let world: World;
  let browser: Browser;
  let editor: Editor;

  before(async () => {
    world = await openWorld();
    browser = await openChromium();
    editor = new Editor(await browser.context.newPage(), world.api.url);
    await editor.signIn();
  }, untilReady);

  after(async () => {
    await browser?.close();
    await world?.close();
  });

  it('is found by search, with its triggers and its actions', async () => {
    const { page } = editor;
    await editor.newWorkflow();
    await editor.search('screen adv');
    await editor.picture('node-panel-search');
    await page.getByText('Screen Advertising', { exact: true }).first().click();
    await page.getByText('Actions (10)').click();
    await page.getByText('Create coupon', { exact: true }).waitFor();
    await editor.picture('node-panel');
    await page.getByText('On coupon redeemed', { exact: true }).waitFor();
  });

  it('says what is wrong with a wrong API key, and passes with the right one', async () => {
    const { page } = editor;
    const [{ apiKey }] = world.sandbox.accesses;
    await page.goto(`${world.api.url}/home/credentials`);
    await editor.newCredential('Screen Advertising API');
    await editor.fill('baseUrl', world.baseUrl);
    await editor.fill('apiKey', 'svc_not_the_right_one');
    await editor.saveCredential();
    await page.getByText('More details').click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByText('The service does not accept the API key').waitFor();
    await editor.picture('credential-refused');
    assert.doesNotMatch(await dialog.innerText(), /svc_not/);

    await editor.fill('apiKey', apiKey);
    await editor.saveCredential();
    await page.getByText('Connection tested successfully').waitFor();
    await editor.picture('credential-accepted');
  });

  it('says what is wrong with a wrong client secret, and passes with the right one', async () => {
    const { page } = editor;
    const [{ clientId, clientSecret }] = world.sandbox.accesses;
    await page.goto(`${world.api.url}/home/credentials`);
    await editor.newCredential('Screen Advertising Client Credentials API');
    await editor.fill('baseUrl', world.baseUrl);
    await editor.fill('clientId', clientId);
    await editor.fill('clientSecret', 'not-the-right-one');
    await editor.saveCredential();
    await page.getByText('More details').click();
    await editor.picture('client-credentials-refused');
    assert.doesNotMatch(await page.getByRole('dialog').last().innerText(), /not-the-right-one/);

    await editor.fill('clientSecret', clientSecret);
    await editor.saveCredential();
    await page.getByText('Connection tested successfully').waitFor();
    await editor.picture('client-credentials-accepted');
  });

  it('chooses a screen from a searchable list, and shows its availability', async () => {
    const { page } = editor;
    await editor.newWorkflow();
    await editor.add('Actions', 'Get availability of screen');
    await page.getByTestId('rlc-input').click();
    await page.getByTestId('rlc-item').first().waitFor();
    await editor.picture('screen-list');
    const first = await page.getByTestId('rlc-item').first().innerText();
    await page.getByTestId('rlc-search').locator('input').fill('Berlin');
    await waitFor({ what: 'screens of Berlin', withinMs: 10_000 }, async () => {
      const names = await page.getByTestId('rlc-item').allInnerTexts();
      return names.length > 0 && names.every((name) => /Berlin/.test(name));
    });
    await editor.picture('screen-list-search');
    await page.getByTestId('rlc-item').first().click();
    await page.keyboard.press('Escape');
    await editor.field('from').locator('input').fill('2027-03-01');
    await page.keyboard.press('Enter');
    await editor.field('to').locator('input').fill('2027-03-07');
    await page.keyboard.press('Enter');
    await editor.executeStep();
    await editor.output.getByText('available_sov_pct').first().waitFor();
    await editor.picture('action-output');
    assert.ok(first);
  });

  it('shows every field of Create coupon with its help', async () => {
    const { page } = editor;
    await editor.newWorkflow();
    await editor.add('Actions', 'Create coupon');
    await editor.picture('coupon-fields');
    assert.ok(page);
  });

  it('starts a published workflow when the service delivers an event', async () => {
    const { page } = editor;
    await editor.newWorkflow();
    await editor.add('Triggers', 'On campaign request rejected');
    await page.getByText('Webhook URLs').click();
    await editor.picture('trigger-panel');
    assert.ok(webhookUrl);
  });
});
