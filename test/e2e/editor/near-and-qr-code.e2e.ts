import '../support/end-with-children.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readScreenshot } from '../../support/read-qr-code.ts';
import { runExample } from '../support/run-example.ts';
import { readExample, webhookUrl } from '../support/set-up.ts';
import { useEditor } from '../support/use-editor.ts';
import { waitFor } from '../support/wait.ts';

/** The middle of Berlin, as a map copies it. */
const near = '52.5200, 13.4050';

describe("near and QR codes in n8n's editor", () => {
  const opened = useEditor();

  const period = { from: '2027-03-01', to: '2027-03-14' };

  for (const [action, fields] of [
    ['Get many screens', {}],
    ['Find available screens', period],
  ] as const) {
    it(`"${action}" near a place shows the distance of each screen`, async () => {
      const { editor } = opened;
      await editor.newWorkflow();
      await editor.add(action);
      for (const [name, value] of Object.entries(fields)) await enter(name, value);
      await editor.addField('Add Filter', 'Near');
      await enter('near', near);
      await editor.addField('Add Filter', 'Radius in Kilometers');
      await enter('radius_km', '4');
      await editor.executeStep();
      await editor.output.getByTestId('radio-button-json').click();
      // n8n renders the rows of a list a few at a time.
      const distances = await waitFor({ what: 'two distances', withinMs: 60_000 }, async () => {
        const shown = (await editor.output.textContent()) ?? '';
        const read = [...shown.matchAll(/distance_km\W+([\d.]+)/g)].map(([, km]) => Number(km));
        return read.length > 1 && read;
      });
      assert.deepEqual(
        distances,
        distances.toSorted((a, b) => a - b),
      );
      assert.ok((distances.at(-1) ?? 5) <= 4, String(distances));
    });
  }

  it('"Create landing link" shows its QR code in the output panel, and it can be scanned', async () => {
    const { editor } = opened;
    const { page } = editor;
    await editor.newWorkflow();
    await editor.add('Create landing link');
    await page.getByText('Add Field', { exact: true }).click();
    await enter('name', 'utm_campaign');
    await enter('value', 'screens_nearby');
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

  it('the recipe passes the QR code on to the email', async () => {
    const { api, sandbox, credentials } = opened.world;
    const workflow = await api.createWorkflow(
      await readExample('screens-near-new-lead', credentials),
    );
    const url = webhookUrl(api.url, workflow);
    await api.publish(workflow, url);
    const { id } = sandbox.webhooks.add({ url });
    const lead = { email: 'new.lead@example.com', city: 'Berlin' };
    const { data } = await runExample(api, workflow, (event) => sandbox.fire(event, lead));
    sandbox.webhooks.remove(id);
    const [message] = data?.resultData?.runData?.Message ?? [];
    const [email] = message?.data?.main?.[0] ?? [];
    assert.match(String(email?.json.Body), /^Near you: .* km\).*\. Start here: http/);
    assert.equal(email?.binary?.data?.fileName, 'qr-code.png');
  });

  async function enter(name: string, value: string): Promise<void> {
    await opened.editor.fill(name, value);
    await opened.editor.page.keyboard.press('Tab');
  }
});
