import type { Screen } from '@screen-advertising/core';
import { withAmounts } from '@screen-advertising/core/forms';
import { isLoopback, maxResponseBytes } from '@screen-advertising/core/platform';
import type { Bundle, RawHttpResponse, ZObject } from 'zapier-platform-core';
import { deadlineMs, maxRedirects } from '../limits.ts';
import { isUnauthorized, isUnsent, redirected } from './bearer.ts';

/** Fetches a screen's picture only when a later step uses it. */
export async function downloadThumbnail(z: ZObject, bundle: Bundle): Promise<string> {
  const response = await follow(z, String(bundle.inputData.url));
  if (response.status !== 200) throw unavailable(z, `status ${response.status}`);
  return z.stashFile(Promise.resolve(response));
}

/** The service may only point to pictures in a file store, which gets no token. */
async function follow(z: ZObject, first: string): Promise<RawHttpResponse> {
  const signal = AbortSignal.timeout(deadlineMs);
  let response = await fetchPicture(z, { url: first, signal });
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const target = redirectTarget(response, url);
    if (!target) return response;
    if (redirects === maxRedirects) throw unavailable(z, `more than ${maxRedirects} redirects`);
    if (!isAllowed(target, url)) {
      throw unavailable(z, `a redirect to ${target.origin}, which is not safe to follow`);
    }
    response.body.resume();
    url = target.href;
    response = await fetchPicture(z, { url, signal, ...redirected });
  }
}

interface PictureRequest {
  readonly url: string;
  readonly signal: AbortSignal;
}

async function fetchPicture(z: ZObject, request: PictureRequest): Promise<RawHttpResponse> {
  const options = { ...request, size: maxResponseBytes, redirect: 'manual' } as const;
  return z.request({ ...options, raw: true }).catch((error: unknown) => {
    // Zapier fetches another token and calls again.
    if (isUnsent(error)) throw error;
    throw unavailable(z, isUnauthorized(error) ? 'status 401' : 'no response');
  });
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectTarget({ status, headers }: RawHttpResponse, url: string): URL | undefined {
  const location = headers.get('location');
  if (!location || !redirectStatuses.has(status) || !URL.canParse(location, url)) return undefined;
  return new URL(location, url);
}

/** No one on the way may see or change the picture, or reach into the machine that fetches it. */
function isAllowed({ protocol, hostname }: URL, from: string): boolean {
  return isLoopback(hostname) ? isLoopback(new URL(from).hostname) : protocol === 'https:';
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
  try {
    return { ...screen, thumbnail: z.dehydrateFile(downloadThumbnail, { url }) };
  } catch {
    // Zapier stores a few thousand characters. A longer address costs the picture, not the step.
    z.console.log(`A thumbnail was left out: its address has ${url.length} characters.`);
    return screen;
  }
}

/** The screen of a record that has its ID beside it. */
export function describedScreen(z: ZObject, screen: Screen): object {
  const { id: _id, ...described } = withThumbnail(z, withAmounts(screen));
  return described;
}
