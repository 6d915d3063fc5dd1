import { ConfigurationError } from '../errors/configuration-error.ts';
import { trimmed } from './trimmed.ts';

const version = '/api/v1';

/** Whether a host name, as a URL has it, never leaves the machine: there http is allowed. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Checks a base URL: https (http on loopback only), ending in the version segment `/api/v1`
 * (section 9). Returns it without white space around it. Throws ConfigurationError whose message
 * says what to paste instead.
 */
export function parseBaseUrl(text: string): string {
  const given = trimmed(text);
  if (!given) throw refused('is missing', 'Paste it whole, such as https://service.example/api/v1');
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:\/\//i.test(given)) {
    throw refused('is not a web address', 'Paste it whole, such as https://service.example/api/v1');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const proposal = `${secure(url)}//${url.host}${versioned(path)}`;
  const paste = `Paste ${proposal} instead`;
  if (url.username || url.password) throw refused('must not hold a user name or password', paste);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refused('must start with https, because it carries your credentials', paste);
  }
  if (given.includes('?')) throw refused('must not hold a query', paste);
  if (given.includes('#')) throw refused('must not hold a fragment', paste);
  if (!path.endsWith(version)) throw refused(`must end in ${version}`, paste);
  if (url.pathname.endsWith('/')) throw refused('must not end in a slash', paste);
  return `${url.origin}${url.pathname}`;
}

function secure(url: URL): string {
  return isLoopback(url.hostname) ? url.protocol : 'https:';
}

/** `/x/api/v1/screens` was copied too far, `/api` not far enough; a root lacks both segments. */
function versioned(path: string): string {
  return path.replace(/(\/api(\/v\d+(\/.*)?)?)?$/i, version);
}

function refused(why: string, remedy: string): ConfigurationError {
  return new ConfigurationError('baseUrl', `The base URL ${why}. ${remedy}.`);
}
