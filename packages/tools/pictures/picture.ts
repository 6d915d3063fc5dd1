import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { images } from '../../../test/e2e/support/machine.ts';

export interface Picture {
  /** Of the file in docs/images. */
  readonly name: string;
  readonly url: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  /** The selector of what it ends below. */
  readonly last: string;
  /** What it starts above. Default: the top of the page. */
  readonly first?: (page: Page) => Locator;
  /** A link to follow first. */
  readonly follow?: string;
}

/** Less than the gap between two cards, so that the next one does not show. */
const margin = 14;

/** Takes a picture that cuts none of the elements at its edges, whatever the height of the window. */
export async function takePicture(page: Page, picture: Picture): Promise<void> {
  const { name, url, viewport, colorScheme, follow } = picture;
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  await page.goto(url, { waitUntil: 'networkidle' });
  if (follow !== undefined) await page.locator(follow).first().click();
  const delivery = page.locator('.records summary').first();
  if (await delivery.isVisible()) await delivery.click();
  // The click may have scrolled; boxes are measured from the top of the window, the picture from that of the page.
  await page.evaluate(() => window.scrollTo(0, 0));
  const first = await picture.first?.(page).boundingBox();
  const last = await page.locator(picture.last).last().boundingBox();
  if (!last) throw new Error(`${name} has no end: ${picture.last} is not on the page.`);
  const y = first ? first.y - margin : 0;
  const clip = { x: 0, y, width: viewport.width, height: last.y + last.height + margin - y };
  const file = path.join(images, `${name}.png`);
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file, fullPage: true, clip });
}
