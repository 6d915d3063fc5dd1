import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { focusedName } from '../support/keyboard.ts';
import { showsTitle } from '../support/page-checks.ts';
import { deliverEvent } from './lively-relay.ts';
import { notice, open, openPage, page, press, relay, signIn, url } from './open-page.ts';

describe("while the relay's page refreshes", () => {
  openPage();

  const refreshes = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      await page.waitForResponse((response) => response.url() === page.url());
    }
  };
  const arrive = async (id: string) => {
    await relay.clock.advance(1_000);
    await deliverEvent(relay, url, id, 'campaign.paid', { campaign_id: id });
    await relay.clock.advance(0);
  };

  beforeEach(async () => {
    await signIn();
    await open('/operator/deliveries?state=pending');
  });

  const deliveries = () => page.locator('.records > li');

  it('a slow press still counts, although a row came in above the button', async () => {
    const before = await deliveries().count();
    await page.locator('.records summary').last().click();
    const button = page.getByRole('button', { name: /^Retry now/ }).last();
    await button.hover();
    await page.mouse.down();
    await arrive('evt_1001');
    await refreshes(1);
    assert.equal(await deliveries().count(), before);
    await page.mouse.up();
    await notice('The next attempt starts now.');
  });

  it('the focus, opened details, entered text and a slow key stay', async () => {
    await page.locator('.records summary').first().click();
    const field = page.locator('form[method=get] input').first();
    await field.fill('Zap');
    const button = page.getByRole('button', { name: /^Retry now/ }).first();
    const name = await button.getAttribute('aria-label');
    await button.focus();
    const before = await deliveries().count();
    await arrive('evt_1001');
    await deliveries().nth(before).waitFor();
    assert.equal(await focusedName(page), name);
    assert.equal(await field.inputValue(), 'Zap');
    assert.ok(await button.isVisible());
    await page.keyboard.down('Space');
    await arrive('evt_1002');
    await refreshes(1);
    await page.keyboard.up('Space');
    await notice('The next attempt starts now.');
  });

  it('selected text stays selected', async () => {
    await open('/operator/events');
    await page.locator('time').first().dblclick();
    const selected = () => page.evaluate(() => String(getSelection()).trim());
    const before = await selected();
    assert.match(before, /\d/);
    const rows = await page.getByRole('row').count();
    await arrive('evt_1001');
    await refreshes(1);
    assert.equal(await selected(), before);
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('row').nth(rows).waitFor();
  });

  it('a session that ended leaves the page as it is', async () => {
    const other = await page.context().newPage();
    await other.goto(`${url}/`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await showsTitle(other, 'Sign in');
    await other.close();
    await page.waitForResponse((response) => response.url().endsWith('/operator/sign-in'));
    await showsTitle(page, 'Deliveries');
    await press('Show');
    await showsTitle(page, 'Sign in');
  });
});
