import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** What a screen reader would call the element that has the focus. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focus = document.activeElement;
    const label = focus instanceof HTMLInputElement ? focus.labels?.[0] : focus;
    return focus?.getAttribute('aria-label') ?? label?.textContent?.trim() ?? '';
  });
}

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    const name = await focusedName(page);
    if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return;
  }
  assert.fail(`Tab never came to ${wanted}`);
}

/** Presses Enter on what has the focus, and waits for the page that it leads to. */
export async function follow(page: Page): Promise<void> {
  const arrived = page.waitForEvent('domcontentloaded');
  await page.keyboard.press('Enter');
  await arrived;
}
