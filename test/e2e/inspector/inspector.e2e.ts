import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { inspectorPaths } from '../../sandbox/inspector/support.ts';
import { urlOf } from '../../support/server-url.ts';
import { isAccessible, isUsableByKeyboard, isUsableByTouch } from '../support/page-checks.ts';
import { appearances, phone, usePage } from '../support/use-page.ts';
import { livelySandbox } from './lively-sandbox.ts';

describe("the sandbox's page", () => {
  const opened = usePage();
  const { press, notice } = opened;
  /** Statuses for the next deliveries, first one first. Once they are used up, it is 200. */
  const statuses: number[] = [];
  const receiver = createServer((_request, response) =>
    response.writeHead(statuses.shift() ?? 200).end(),
  );
  /** A new one for each test. */
  let sandbox: Sandbox;
  let url: string;
  let receiverUrl: string;

  before(async () => {
    receiverUrl = `${await urlOf(receiver)}/hook`;
  });

  beforeEach(async () => {
    await sandbox?.close();
    sandbox = createSandbox({ screens: 60, clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
    ({ url } = await sandbox.listen());
    await opened.page.goto(url);
  });

  after(async () => {
    await sandbox.close();
    receiver.close();
  });

  const open = (path: string) => opened.page.goto(`${url}${path}`);

  for (const { size, viewport, colorScheme } of appearances) {
    it(`axe finds no violation, and nothing sticks out: ${size}, ${colorScheme}`, async () => {
      const { page } = opened;
      await livelySandbox(sandbox, receiverUrl);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      for (const path of inspectorPaths) {
        await open(path);
        await isAccessible(page, path);
      }
    });
  }

  it('a finger hits every control of a phone, and no choice is cut off', async () => {
    await livelySandbox(sandbox, receiverUrl);
    await opened.page.setViewportSize(phone);
    for (const path of inspectorPaths) {
      await open(path);
      await isUsableByTouch(opened.page, path);
    }
  });

  it('the keyboard reaches every control, and shows where it is', async () => {
    await livelySandbox(sandbox, receiverUrl);
    for (const path of inspectorPaths) {
      await open(path);
      await isUsableByKeyboard(opened.page, path);
    }
  });

  it('the header takes two rows on a phone', async () => {
    await opened.page.setViewportSize(phone);
    const tops = await opened.page
      .locator('header > a, header .now, header button, header select')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
    const rows = new Set(tops.map((bottom) => Math.round(bottom / 40)));
    assert.equal(rows.size, 2, `${tops}`);
  });

  it('the tabs take two rows on a phone', async () => {
    await opened.page.setViewportSize(phone);
    const tops = await opened.page
      .locator('nav[aria-label="Pages"] a')
      .evaluateAll((tabs) => tabs.map((tab) => Math.round(tab.getBoundingClientRect().top)));
    assert.equal(new Set(tops).size, 2, `${tops}`);
  });

  it('the keyboard alone fires an event, on a phone', async () => {
    sandbox.webhooks.add({ url: receiverUrl });
    const untouched = await opened.untouched();
    await untouched.goto(`${url}/inspector/events`);
    const tab = await untouched.locator('[aria-current]').boundingBox();
    assert.ok(tab && tab.x >= 0 && tab.x + tab.width <= phone.width, 'the current tab is in view');
    await untouched.keyboard.press('Tab');
    assert.equal(await untouched.locator(':focus').textContent(), 'Skip to content');
    for (const key of ['Enter', 'Tab', 'Tab', 'Enter']) await untouched.keyboard.press(key);
    await untouched.getByRole('status').getByText('Event fired.').waitFor();
    await untouched.close();
    assert.equal(sandbox.deliveries.list()[0]?.event, 'user.registered');
  });

  it('works without scripts', async () => {
    await opened.withoutScripts(async (plain) => {
      await plain.goto(`${url}/inspector/faults`);
      await plain.getByRole('button', { name: 'Switch on' }).click();
      await plain.getByText('Fault switched on.').waitFor();
      await plain.getByRole('cell', { name: /^Rate limit: 429/ }).waitFor();
      assert.equal(await plain.getByRole('button', { name: /^Copy/ }).count(), 0);
    });
  });

  it('copies credentials and the base URL', async () => {
    await press('Copy API key of second');
    await notice('Copied.');
    const copied = () => opened.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(await copied(), sandbox.accesses.find(({ id }) => id === 'second')?.apiKey);
    await press('Copy Base URL');
    assert.equal(await copied(), `${url}/api/v1`);
  });

  it('says when the sandbox is gone', async () => {
    await sandbox.close();
    await press('Run');
    await notice('No response. Is the program still running?');
  });

  it('shows a failed attempt with its signature, moves to the next one, and redelivers', async () => {
    const { page } = opened;
    sandbox.webhooks.add({ url: receiverUrl });
    statuses.push(503);
    await open('/inspector/events');
    const form = page.getByRole('article').filter({ hasText: 'campaign.paid' });
    await form.getByText('Fields', { exact: true }).click();
    const more = form.getByLabel('More fields, as JSON');
    await more.fill('{oops');
    await press('Fire Campaign Paid');
    await notice('More fields must be valid JSON');
    assert.equal(await more.inputValue(), '{oops');
    await more.fill('');
    await form.getByLabel('amount_cents').fill('777');
    await press('Fire Campaign Paid');
    const event = page.locator('.records > li').first();
    await event.locator('summary').first().click();
    await event.getByText('"amount_cents": 777').waitFor();
    const delivery = event.locator('.records > li');
    await delivery.locator('summary').click();
    await delivery.getByRole('cell', { name: '503', exact: true }).waitFor();
    await delivery.getByRole('cell', { name: /^t=\d+,v1=[0-9a-f]{64}$/ }).waitFor();
    await press('Advance the clock to then');
    await delivery.locator('summary').getByText('2 attempts').waitFor();
    await press(`Send again ${sandbox.deliveries.list()[0]?.id}`);
    await delivery.getByRole('cell', { name: '3, manual' }).waitFor();
    assert.equal(sandbox.deliveries.list()[0]?.status, 'delivered');
    assert.equal(await page.locator('.records details[open]').count(), 2);
  });

  it('shows the picture of a screen once it is in view', async () => {
    await open('/inspector/screens');
    const picture = opened.page.locator('.screen img').last();
    await picture.scrollIntoViewIfNeeded();
    await picture.evaluate((image: HTMLImageElement) => image.decode());
    assert.ok(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
  });
});
