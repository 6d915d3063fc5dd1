import { ConfigurationError } from '../errors/error-classes.ts';
import { isRecord } from '../json.ts';
import { trimmedText } from './options.ts';

const version = '/api/v1';

/** An address as text, or as a `URL`. */
export type TextOrUrl =
  | string
  | {
      /** The address as text. */
      readonly href: string;
    };

/** How error messages describe a base URL. */
interface BaseUrlMessages {
  /** Turns words into a sentence about it. */
  readonly says: (words: string) => string;
  readonly example: string;
  /** The secret sent to this URL, which is why it must start with https. */
  readonly secret: string;
}

const words: BaseUrlMessages = {
  says: (words) => `The base URL ${words}`,
  example: 'https://service.example/api/v1',
  secret: 'your credentials',
};

/**
 * Checks a base URL: https (http on this machine and in a private network), ending in the version
 * segment `/api/v1` (section 9). Fixes small copying mistakes: white space and slashes at the end,
 * a missing version, a path copied too far. Throws ConfigurationError whose message says what to
 * paste instead.
 */
export function parseBaseUrl(address: TextOrUrl): string {
  return normalizeBaseUrl(addressText(address), words);
}

/** The text of an address; '' for anything else, such as an unset variable. */
export function addressText(address: TextOrUrl): string {
  return trimmedText(isRecord(address) ? address.href : address);
}

/** Does the same for any base URL. */
export function normalizeBaseUrl(text: string, { says, example, secret }: BaseUrlMessages): string {
  const refused = (why: string, remedy: string): ConfigurationError =>
    new ConfigurationError('baseUrl', says(why), `${remedy}.`);
  const given = trimmedText(text);
  const whole = `Paste the whole address, such as ${example}`;
  if (!given) throw refused('is missing', whole);
  const url = parsed(given);
  if (hostFirst.test(given)) {
    const bare = parsed(`https://${given}`);
    const protocol = bare && isPrivateHost(bare.hostname) ? 'http' : 'https';
    throw refused(`must start with ${protocol}://`, `Paste ${protocol}://${given} instead`);
  }
  if (!url || !/^https?:\/\/\S+$/i.test(given)) throw refused('is not a web address', whole);
  const path = url.pathname.replace(/\/+$/, '');
  const address = `${url.host}${versioned(path)}`;
  const isPrivate = isPrivateHost(url.hostname);
  const paste = `Paste ${isPrivate ? url.protocol : 'https:'}//${address} instead`;
  if (url.username || url.password) throw refused('must not contain a username or password', paste);
  if (url.protocol === 'http:' && !isPrivate) {
    throw refused(`must start with https, because it carries ${secret}`, paste);
  }
  if (/[?#]/.test(given)) throw refused('must not contain ? or #', paste);
  if (otherVersion.test(path)) {
    throw refused(`must end in ${version}, the supported version`, paste);
  }
  return `${url.protocol}//${address}`;
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** An address without its scheme: a host name with a dot, and maybe a port and a path. */
const hostFirst = /^[\w-]+(\.[\w-]+)+(:\d+)?(\/[\w./-]*)?$/;

/** Another version is a different interface, and replacing it with `/api/v1` would hide that. */
const otherVersion = /\/api\/v(?!1(\/|$))\d+(\/|$)/i;

/** `/x/api/v1/screens` was copied too far, `/api` not far enough; a root lacks both segments. */
function versioned(path: string): string {
  return path.replace(/(\/api(\/v\d+(\/.*)?)?)?$/i, version);
}

/** Whether requests to a host name, written as in a URL, never leave this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Hosts outside the public network, where http is allowed: this machine, and the names and
 * addresses of a private network, such as `host.docker.internal` or the `sandbox` of a compose
 * file. Link-local addresses, and the names and private addresses of the same services, are
 * excluded: clouds keep their own secrets there.
 */
function isPrivateHost(hostname: string): boolean {
  if (isLoopback(hostname)) return true;
  if (secretHost.test(hostname)) return false;
  return isAddress(hostname) ? privateAddress.test(hostname) : privateName.test(hostname);
}

/** `URL` writes every IPv4 address as four decimal numbers, and IPv6 in brackets. */
const isAddress = (hostname: string): boolean => /^\[|^[\d.]+$/.test(hostname);

const privateAddress = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[f[cd][\da-f]{2}:/;

const privateName = /^([^.]+|.+\.(localhost|local|internal))$/;

/** `metadata.google.internal`, `instance-data.ec2.internal`, and the IPv6 addresses of both. */
const secretHost = /^(metadata|instance-data)(\.|$)|^\[fd(00:ec2|20:ce)::254\]$/;
