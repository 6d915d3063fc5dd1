import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspectorPaths } from '../../sandbox/inspector/support.ts';
import { isAccessible } from '../support/page-checks.ts';
import { livelySandbox } from './lively-sandbox.ts';
import {
  browser,
  desktop,
  notice,
  open,
  openInspector,
  page,
  phone,
  press,
  receiverUrl,
  sandbox,
  statuses,
  url,
} from './open-inspector.ts';

describe("the sandbox's page", () => {
  openInspector();

  describe('for everyone', () => {
    for (const [size, viewport] of Object.entries({ desktop, phone })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        it(`axe finds no violation, and nothing sticks out: ${size}, ${colorScheme}`, async () => {
          await livelySandbox(sandbox, receiverUrl());
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          for (const path of inspectorPaths) {
            await open(path);
            await isAccessible(page, path);
          }
        });
      }
    }

    it('the header takes two rows on a phone', async () => {
      await page.setViewportSize(phone);
      const tops = await page
        .locator('header > a, header .now, header button, header select')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
      const rows = new Set(tops.map((bottom) => Math.round(bottom / 40)));
      assert.equal(rows.size, 2, `${tops}`);
    });

    it('the keyboard alone fires an event, on a phone', async () => {
      sandbox.webhooks.add({ url: receiverUrl() });
      // In a page where nothing was clicked yet the first Tab starts at the top.
      const untouched = await browser.context.newPage();
      await untouched.setViewportSize(phone);
      await untouched.goto(`${url}/inspector/events`);
      const tab = await untouched.locator('[aria-current]').boundingBox();
      assert.ok(
        tab && tab.x >= 0 && tab.x + tab.width <= phone.width,
        'the current tab is in view',
      );
      await untouched.keyboard.press('Tab');
      assert.equal(await untouched.locator(':focus').textContent(), 'Skip to content');
      for (const key of ['Enter', 'Tab', 'Tab', 'Enter']) await untouched.keyboard.press(key);
      await untouched.getByRole('status').getByText('Event fired.').waitFor();
      await untouched.close();
      assert.equal(sandbox.deliveries.list()[0]?.event, 'user.registered');
    });

    it('works without scripts', async () => {
      const context = await browser.context.browser()?.newContext({ javaScriptEnabled: false });
      assert.ok(context);
      const plain = await context.newPage();
      await plain.goto(`${url}/inspector/faults`);
      await plain.getByRole('button', { name: 'Switch on' }).click();
      await plain.getByText('Fault switched on.').waitFor();
      await plain.getByRole('cell', { name: /^Rate limit reached/ }).waitFor();
      assert.equal(await plain.getByRole('button', { name: /^Copy/ }).count(), 0);
      await context.close();
    });
  });

  describe('the start page', () => {
    it('copies credentials and the base URL', async () => {
      await press('Copy API key of second');
      await notice('Copied.');
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      assert.equal(await copied(), sandbox.accesses.find(({ id }) => id === 'second')?.apiKey);
      await press('Copy Base URL');
      assert.equal(await copied(), `${url}/api/v1`);
    });

    it('registers and removes a webhook address', async () => {
      await page.getByRole('textbox', { name: 'Address' }).fill(receiverUrl());
      await page.getByLabel('Access').selectOption('second');
      await press('Register');
      await notice('Webhook address registered.');
      assert.equal(sandbox.webhooks.list()[0]?.accessId, 'second');
      assert.equal(await page.getByRole('textbox', { name: 'Address' }).inputValue(), '');
      await press(`Remove ${receiverUrl()}`);
      await page.getByText('None yet, so events are not delivered.').waitFor();
    });

    it('says when the sandbox is gone', async () => {
      await sandbox.close();
      await press('Run');
      await notice('The sandbox does not respond. Is it still running?');
    });
  });

  describe('the clock', () => {
    it('is frozen, run and moved ahead', async () => {
      await press('Run');
      await notice('Clock running.');
      assert.equal(sandbox.clock.isFrozen, false);
      await press('Freeze');
      await notice('Clock frozen.');
      const before = sandbox.clock.now();
      await page.getByLabel('Advance by').selectOption('2 minutes');
      await press('Advance');
      await notice('Clock advanced.');
      assert.equal(sandbox.clock.now(), before + 120_000);
    });
  });

  describe('events and deliveries', () => {
    for (const title of [
      'User Registered',
      'Campaign Paid',
      'Coupon Redeemed',
      'Campaign Request Created',
      'Campaign Request Rejected',
    ]) {
      it(`fires ${title}`, async () => {
        sandbox.webhooks.add({ url: receiverUrl() });
        await open('/inspector/events');
        await press(`Fire ${title}`);
        await page.locator('.records summary').getByText('delivered').waitFor();
        assert.equal(sandbox.deliveries.list().length, 1);
      });
    }

    it('shows a failed attempt with its signature, moves to the next one, and redelivers', async () => {
      sandbox.webhooks.add({ url: receiverUrl() });
      statuses.push(503);
      await open('/inspector/events');
      const form = page.getByRole('article').filter({ hasText: 'campaign.paid' });
      await form.getByText('Fields', { exact: true }).click();
      await form.getByLabel('amount_cents').fill('777');
      await press('Fire Campaign Paid');
      const delivery = page.locator('.records li').first();
      await delivery.locator('summary').click();
      await delivery.getByRole('cell', { name: '503', exact: true }).waitFor();
      await delivery.getByRole('cell', { name: /^t=\d+,v1=[0-9a-f]{64}$/ }).waitFor();
      await delivery.getByText('"amount_cents":777').waitFor();
      await press('Advance the clock to then');
      await delivery.locator('summary').getByText('2 attempts').waitFor();
      await press(`Send again ${sandbox.deliveries.list()[0]?.id}`);
      await delivery.getByRole('cell', { name: '3, manual' }).waitFor();
      assert.equal(sandbox.deliveries.list()[0]?.status, 'delivered');
    });

    it('rejects extra fields that are not JSON, and keeps what was typed', async () => {
      await open('/inspector/events');
      const form = page.getByRole('article').filter({ hasText: 'campaign.paid' });
      await form.getByText('Fields', { exact: true }).click();
      await form.getByLabel('More fields, as JSON').fill('{oops');
      await press('Fire Campaign Paid');
      await notice('More fields must be a JSON object');
      assert.equal(await form.getByLabel('More fields, as JSON').inputValue(), '{oops');
    });

    it('follows what happens elsewhere, and leaves opened details open', async () => {
      sandbox.webhooks.add({ url: receiverUrl() });
      await sandbox.fire('user.registered');
      await open('/inspector/events');
      await page.locator('.records summary').click();
      await sandbox.fire('campaign.paid');
      await page.locator('.records').getByText('campaign.paid', { exact: true }).waitFor();
      assert.equal(await page.locator('.records details[open]').count(), 1);
    });
  });

  describe('records', () => {
    it('a coupon is redeemed', async () => {
      await livelySandbox(sandbox, receiverUrl());
      await open('/inspector/coupons');
      await press('Redeem BVCC-DEMO');
      await notice('Coupon redeemed once.');
      const row = page.getByRole('row').filter({ hasText: 'BVCC-DEMO' });
      await row.getByRole('cell', { name: 'redeemed', exact: true }).waitFor();
    });

    it('screens are chosen by city, on the map and in the list, and leafed through', async () => {
      await open('/inspector/screens');
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByText('Page 2 of 3').waitFor();
      await page.getByRole('link', { name: /^Berlin: / }).click();
      await page.getByText('Page 1 of 1').waitFor();
      await page.getByLabel('City').selectOption('Hamburg');
      await press('Show');
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.match(page.url(), /city=Hamburg/);
      const picture = page.locator('.screen img').first();
      await picture.scrollIntoViewIfNeeded();
      assert.ok(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
    });

    it('the journal is emptied', async () => {
      await livelySandbox(sandbox, receiverUrl());
      await open('/inspector/journal');
      await press('Clear the journal');
      await page.getByText('No requests yet.').waitFor();
      assert.deepEqual(sandbox.journal.list(), []);
    });

    it('everything is reset, after a question', async () => {
      await livelySandbox(sandbox, receiverUrl());
      await open('/inspector/coupons');
      page.once('dialog', (dialog) => void dialog.dismiss());
      await press('Reset the sandbox');
      assert.ok(sandbox.coupons.list().length > 0);
      page.once('dialog', (dialog) => void dialog.accept());
      await press('Reset the sandbox');
      await notice('Sandbox reset to its initial data. The clock keeps its time.');
      assert.deepEqual(sandbox.coupons.list(), []);
    });
  });

  describe('faults', () => {
    it('are switched on for some calls, strike, and are switched off', async () => {
      await open('/inspector/faults');
      await page.getByLabel('What goes wrong').selectOption({ label: 'The service fails: 500' });
      await page.getByLabel('Which requests').selectOption('List Screens');
      await page.getByLabel('How often').fill('');
      await press('Switch on');
      await page.getByRole('cell', { name: '0 times' }).waitFor();
      const [{ apiKey }] = sandbox.accesses;
      const answer = await fetch(`${url}/api/v1/screens`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      assert.equal(answer.status, 500);
      await page.getByRole('cell', { name: '1 times' }).waitFor();
      await press('Switch off flt_1');
      await page.getByText('No active faults: every request gets a normal response.').waitFor();
      await press('Switch on');
      await press('Switch all off');
      await notice('All faults switched off.');
      assert.deepEqual(sandbox.faults.list(), []);
    });
  });
});
