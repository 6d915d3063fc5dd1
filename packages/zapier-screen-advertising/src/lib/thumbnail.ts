import type { Screen } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { deadlineMs, largestAnswer } from './limits.ts';
import { isUnauthorized, isUnsent } from './refresh-auth.ts';

/** Fetches a screen's picture only when a later step uses it. */
export async function downloadThumbnail(z: ZObject, bundle: Bundle): Promise<string> {
  const options = { url: String(bundle.inputData.url), timeout: deadlineMs, size: largestAnswer };
  const response = await z.request({ ...options, raw: true }).catch((error: unknown) => {
    // Zapier fetches another token and comes again.
    if (isUnsent(error)) throw error;
    throw unavailable(z, isUnauthorized(error) ? 'status 401' : 'no answer');
  });
  if (response.status !== 200) throw unavailable(z, `status ${response.status}`);
  return z.stashFile(Promise.resolve(response));
}

function unavailable(z: ZObject, reason: string): Error {
  return new z.errors.Error(`The thumbnail of the screen could not be fetched (${reason}).`);
}

/** Adds the picture as a file, for steps that take files. */
export function withThumbnail<S extends Screen>(z: ZObject, screen: S): S & { thumbnail?: string } {
  const { thumbnail_url: url } = screen;
  if (!url || !/^https?:\/\//.test(url)) return screen;
  return { ...screen, thumbnail: z.dehydrateFile(downloadThumbnail, { url }) };
}
