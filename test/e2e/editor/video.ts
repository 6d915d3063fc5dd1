/**
 * Records the video that n8n's verification asks for, by the script in docs/submission.md, with
 * captions instead of a voice. The package is already installed: nothing is published yet.
 */
import '../support/end-with-children.ts';
import path from 'node:path';
import { openChromium } from '../support/chromium.ts';
import { Editor } from '../support/editor.ts';
import { openWorld } from '../support/open-world.ts';
import { cache } from '../support/paths.ts';
import { say } from '../support/progress.ts';
import { Recording } from '../support/recording.ts';
import { credentialData, readExample, webhookUrl } from '../support/set-up.ts';

const file = path.join(cache, 'video', 'n8n-verification.webm');

const world = await openWorld();
const browser = await openChromium();
try {
  const page = await browser.context.newPage();
  const editor = new Editor(page, world.api.url);
  await editor.signIn();
  const recording = await Recording.start(page);

  await recording.scene('A credential with a wrong API key says what to do', async () => {
    const right = credentialData(world.sandbox, world.baseUrl).screenAdvertisingApi;
    const dialog = await editor.newCredential('Screen Advertising API');
    await dialog.fill({ ...right, apiKey: 'svc_not_the_right_key' });
    await dialog.test();
  });

  await recording.scene('With the right key, the connection is tested', async () => {
    const right = credentialData(world.sandbox, world.baseUrl).screenAdvertisingApi ?? {};
    const dialog = await editor.newCredential('Screen Advertising API');
    await dialog.fill(right);
    await dialog.test();
  });

  await recording.scene('The node panel: triggers and actions', async () => {
    await editor.newWorkflow();
    await editor.open();
    await page.getByText('Look up user', { exact: true }).scrollIntoViewIfNeeded();
  });

  await recording.scene('Screen: Find Available, cheapest first', async () => {
    await editor.choose('Find available screens');
    for (const [field, day] of Object.entries({ from: '2027-03-01', to: '2027-03-07' })) {
      await editor.fill(field, day);
      await page.keyboard.press('Tab');
    }
    await editor.executeStep();
    await editor.output.getByText('total_price_cents').first().waitFor();
  });

  await recording.scene('Coupon: Create, for a lead', async () => {
    await editor.newWorkflow();
    await editor.add('Create coupon');
    await editor.fill('discount_value', '15');
    await editor.fill('lead_email', 'ada@example.com');
    await page.keyboard.press('Tab');
    await editor.executeStep();
    await editor.output.getByText('ada@example.com').first().waitFor();
  });

  await recording.scene('Coupon: Get, by the code of that coupon', async () => {
    await getCoupon(world.sandbox.coupons.list().at(-1)?.code ?? '');
    await editor.output.getByText('ada@example.com').first().waitFor();
  });

  const example = await readExample('welcome-coupon-for-referred-user', world.credentials);
  const workflow = await world.api.createWorkflow(example);

  await recording.scene('A workflow that an event starts is published', async () => {
    await editor.openWorkflow(workflow.id);
    await editor.publish();
    const url = webhookUrl(world.api.url, workflow);
    await world.api.registered(url, workflow.name);
    world.sandbox.webhooks.add({ url });
  });

  await recording.scene('The service delivers user.registered', async () => {
    await page.goto(new URL('/inspector/events', world.baseUrl).href);
    await page.getByRole('button', { name: 'Fire' }).first().click();
    await page.getByText('Event fired.').waitFor();
  });

  await recording.scene('The event started an execution, which created a coupon', async () => {
    await editor.openWorkflow(workflow.id);
    await page.getByTestId('radio-button-executions').click();
    await page
      .getByText(/^Succe/)
      .first()
      .waitFor();
    await page.getByTestId('canvas-node').first().waitFor();
  });

  await recording.scene('An error says what happened, and what to do', async () => {
    await getCoupon('NO-SUCH-CODE');
    await editor.output
      .getByText(/NO-SUCH-CODE|404/)
      .first()
      .waitFor();
  });

  say(`${Math.round(await recording.save(file))} s in ${file}`);

  async function getCoupon(code: string): Promise<void> {
    await editor.newWorkflow();
    await editor.add('Get coupon');
    await editor.fill('code', code);
    await page.keyboard.press('Tab');
    await editor.executeStep();
  }
} finally {
  await browser.close();
  await world.close();
}
process.exit();
