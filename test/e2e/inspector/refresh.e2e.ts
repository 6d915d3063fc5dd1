import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { notice, open, openInspector, page, sandbox } from './open-inspector.ts';

describe("while the sandbox's page refreshes", () => {
  openInspector();

  const refreshes = async (count: number) => {
    for (let done = 0; done < count; done += 1) {
      await page.waitForResponse((response) => response.url() === page.url());
    }
  };
  const addCoupon = async (code: string) => {
    const fields = {
      code,
      discount_type: 'percent',
      discount_value: 5,
      lead_email: `${code}@a.de`,
    };
    const response = await sandbox.fetch('http://127.0.0.1/api/v1/coupons', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.accesses[0].apiKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(fields),
    });
    assert.equal(response.status, 201);
  };

  beforeEach(async () => {
    await addCoupon('FIRST');
    await open('/inspector/coupons');
  });

  it('a slow press still counts, although a row came in above the button', async () => {
    await page.getByRole('button', { name: 'Redeem FIRST' }).hover();
    await page.mouse.down();
    await addCoupon('SECOND');
    await refreshes(2);
    assert.equal(await page.getByRole('button', { name: 'Redeem SECOND' }).count(), 0);
    await page.mouse.up();
    await notice('Coupon redeemed once.');
    await page.getByRole('button', { name: 'Redeem SECOND' }).waitFor();
  });

  it('the focus stays, and so does a key that is pressed slowly', async () => {
    const button = page.getByRole('button', { name: 'Redeem FIRST' });
    await button.focus();
    await addCoupon('SECOND');
    await page.getByRole('button', { name: 'Redeem SECOND' }).waitFor();
    assert.ok(await button.evaluate((element) => element === document.activeElement));
    await page.keyboard.down('Space');
    await addCoupon('THIRD');
    await refreshes(2);
    await page.keyboard.up('Space');
    await notice('Coupon redeemed once.');
    await page.getByRole('button', { name: 'Redeem THIRD' }).waitFor();
  });

  it('selected text stays selected', async () => {
    await page.getByText('FIRST', { exact: true }).first().dblclick();
    const selected = () => page.evaluate(() => String(getSelection()).trim());
    assert.equal(await selected(), 'FIRST');
    await addCoupon('SECOND');
    await refreshes(2);
    assert.equal(await selected(), 'FIRST');
    await page.getByRole('heading', { level: 1 }).click();
    await page.getByRole('button', { name: 'Redeem SECOND' }).waitFor();
  });
});
