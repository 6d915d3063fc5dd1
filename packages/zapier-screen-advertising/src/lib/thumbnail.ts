import type { Screen } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { deadlineMs, largestAnswer } from './limits.ts';

/** Fetches a screen's picture only when a later step uses it. */
export async function downloadThumbnail(z: ZObject, bundle: Bundle): Promise<string> {
  const url = String(bundle.inputData.url);
  const options = { url, raw: true as const, timeout: deadlineMs, size: largestAnswer };
  try {
    const response = await z.request(options);
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return await z.stashFile(Promise.resolve(response));
  } catch (error) {
    throw new z.errors.Error(`The thumbnail of the screen could not be fetched (${error}).`);
  }
}

/** Adds the picture as a file, for steps that take files. */
export function withThumbnail<S extends Screen>(z: ZObject, screen: S): S & { thumbnail?: string } {
  const { thumbnail_url: url } = screen;
  if (!url || !/^https?:\/\//.test(url)) return screen;
  return { ...screen, thumbnail: z.dehydrateFile(downloadThumbnail, { url }) };
}
