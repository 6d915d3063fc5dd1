import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The page with this title has come. Other pages may have headings that contain its words. */
export function showsTitle(page: Page, title: string): Promise<void> {
  return page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
}

/** Nothing of the page sticks out to the side. */
export async function fits(page: Page, what = page.url()): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  assert.ok(excess <= 0, `${what} is ${excess} px too wide`);
}

/** Opens all details; then axe finds no violation, and the page fits. */
export async function isAccessible(page: Page, what: string): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  assert.deepEqual(found, [], what);
  await fits(page, what);
}
