import { ProblemResponseError } from '../../log/http/problems.ts';

/** Bytes. An index holds the whole URL. */
const longest = 2048;

/**
 * A target as `URL` writes it, without its fragment, which no server gets: two spellings of one
 * address are one target. Text that is not a URL stays, so that the rules for targets can refuse it.
 */
export function normalizeTarget(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.hash = '';
  if (url.href.length <= longest) return url.href;
  throw new ProblemResponseError(
    'invalid-parameter',
    `target_url: use a URL of up to ${longest} characters; with escapes, it has ${url.href.length}.`,
  );
}
