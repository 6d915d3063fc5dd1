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

const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden])';

/** On a phone: no control is lower than a fingertip, and each choice shows the whole of its text. */
export async function isUsableByTouch(page: Page, what: string): Promise<void> {
  await openDetails(page);
  const faults = await page.evaluate((all) => {
    const pen = document.createElement('canvas').getContext('2d');
    const shown = [...document.querySelectorAll<HTMLElement>(all)].filter(
      (one) =>
        one.getClientRects().length > 0 &&
        !one.matches('.skip, p a, td a, main li a:not(.tiles a), footer a, svg a'),
    );
    return shown.flatMap((one) => {
      const { height } = one.getBoundingClientRect();
      // Links in texts are as high as their lines, and boxes to tick as WCAG 2.2 asks (2.5.8).
      const least = one.matches('[type=checkbox]') ? 24 : one.matches('a') ? 36 : 40;
      const low = height < least ? [`${one.outerHTML.slice(0, 80)}: ${height} px`] : [];
      if (!(one instanceof HTMLSelectElement) || !pen) return low;
      const style = getComputedStyle(one);
      pen.font = style.font;
      const text = one.selectedOptions[0]?.text ?? '';
      const arrow = 20;
      const room = one.clientWidth - Number.parseFloat(style.paddingLeft) * 2 - arrow;
      return pen.measureText(text).width > room ? [...low, `cut off: ${text}`] : low;
    });
  }, controls);
  assert.deepEqual(faults, [], what);
}

/** Tab comes to each control, also to those within details, and each shows that it has the focus. */
export async function isUsableByKeyboard(page: Page, what: string): Promise<void> {
  await openDetails(page);
  await page.evaluate(() => {
    Object.assign(window, { visited: new Set<Element>(), unmarked: new Set<string>() });
  });
  for (let count = 0; count < 600; count += 1) {
    await page.keyboard.press('Tab');
    const isDone = await page.evaluate(() => {
      const { visited, unmarked } = window as unknown as {
        visited: Set<Element>;
        unmarked: Set<string>;
      };
      const focus = document.activeElement;
      if (!focus || focus === document.body) return visited.size > 0;
      visited.add(focus);
      const isMarked = getComputedStyle(focus).outlineStyle !== 'none';
      if (!isMarked) unmarked.add(focus.outerHTML.slice(0, 80));
      return false;
    });
    if (isDone) break;
  }
  const faults = await page.evaluate((all) => {
    const { visited, unmarked } = window as unknown as {
      visited: Set<Element>;
      unmarked: Set<string>;
    };
    const missed = [...document.querySelectorAll<HTMLElement>(all)].filter(
      (one) => one.getClientRects().length > 0 && !one.matches(':disabled') && !visited.has(one),
    );
    return [...missed.map((one) => one.outerHTML.slice(0, 80)), ...unmarked];
  }, controls);
  assert.deepEqual(faults, [], what);
}

/** Without a click, from which Tab would continue. */
async function openDetails(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });
}
