import { ProblemResponseError } from '../../log/http/problems.ts';

/** Bytes. An index holds the whole URL. */
const longest = 2048;

/**
 * A target as `URL` writes it, without its fragment, which no server gets, the dot after its host, an empty
 * query, and escapes of characters that need none (RFC 3986, section 6.2): two spellings of one address
 * are one target. Text that is not a URL stays, so that the rules for targets can refuse it.
 */
export function normalizeTarget(text: string): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = withoutEscapes(url.pathname);
  url.search = withoutEscapes(url.search);
  if (url.href.length <= longest) return url.href;
  throw new ProblemResponseError(
    'invalid-parameter',
    `target_url: use a URL of up to ${longest} characters; with escapes, it has ${url.href.length}.`,
  );
}

function withoutEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
