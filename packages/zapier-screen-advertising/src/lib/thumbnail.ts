import type { Screen } from '@screen-advertising/core';
import { maxResponseBytes } from '@screen-advertising/core/platform';
import type { Bundle, RawHttpResponse, ZObject } from 'zapier-platform-core';
import { isUnauthorized, isUnsent, redirected } from './bearer.ts';
import { deadlineMs } from './limits.ts';

/** Fetches a screen's picture only when a later step uses it. */
export async function downloadThumbnail(z: ZObject, bundle: Bundle): Promise<string> {
  const response = await follow(z, String(bundle.inputData.url));
  if (response.status !== 200) throw unavailable(z, `status ${response.status}`);
  return z.stashFile(Promise.resolve(response));
}

/** The service may point to a picture in a file store, which gets no token. */
async function follow(z: ZObject, url: string): Promise<RawHttpResponse> {
  const signal = AbortSignal.timeout(deadlineMs);
  const response = await fetchPicture(z, { url, signal, redirect: 'manual' });
  const location = response.headers.get('location');
  if (!location || !URL.canParse(location, url)) return response;
  response.body.resume();
  return fetchPicture(z, { url: new URL(location, url).href, signal, ...redirected });
}

async function fetchPicture(z: ZObject, request: PictureRequest): Promise<RawHttpResponse> {
  return z.request({ ...request, size: maxResponseBytes, raw: true }).catch((error: unknown) => {
    // Zapier fetches another token and calls again.
    if (isUnsent(error)) throw error;
    throw unavailable(z, isUnauthorized(error) ? 'status 401' : 'no response');
  });
}

interface PictureRequest {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly redirect?: 'manual';
}

function unavailable(z: ZObject, reason: string): Error {
  return new z.errors.Error(
    `The thumbnail of the screen could not be downloaded (${reason}). Replay the step, or leave the thumbnail out.`,
  );
}

/** Adds the picture as a file, for steps that take files. */
export function withThumbnail<S extends Screen>(z: ZObject, screen: S): S & { thumbnail?: string } {
  const { thumbnail_url: url } = screen;
  if (!url || !/^https?:\/\//.test(url)) return screen;
  return { ...screen, thumbnail: z.dehydrateFile(downloadThumbnail, { url }) };
}
