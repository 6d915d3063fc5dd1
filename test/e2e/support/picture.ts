import type { Locator, Page } from 'playwright-core';

/** Parts of a page that a picture shows, across its whole width. */
export interface Part {
  /** Starts above this one; without it, at the top of the page. */
  readonly from?: Locator;
  /** Ends below this one. */
  readonly to: Locator;
}

/** Less than the gap between two cards, so that the next one does not show. */
const margin = 14;

/** Takes a picture that cuts none of the elements at its edges, whatever the height of the window. */
export async function takePicture(page: Page, path: string, { from, to }: Part): Promise<void> {
  const first = await from?.boundingBox();
  const last = await to.boundingBox();
  if (!last) throw new Error(`${path} has no end: ${to} is not on the page.`);
  const y = first ? first.y - margin : 0;
  const width = page.viewportSize()?.width ?? last.width;
  const clip = { x: 0, y, width, height: last.y + last.height + margin - y };
  await page.screenshot({ path, fullPage: true, clip });
}
