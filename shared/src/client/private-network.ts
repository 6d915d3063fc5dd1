/** Whether requests to a host name, written as in a URL, never leave this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Hosts outside the public network, where http is allowed: this machine, and the names and
 * addresses of a private network, such as `host.docker.internal` or the `sandbox` of a compose
 * file. Link-local addresses are excluded: clouds keep their own secrets there.
 */
export function isPrivateHost(hostname: string): boolean {
  if (isLoopback(hostname)) return true;
  return isAddress(hostname) ? privateAddress.test(hostname) : privateName.test(hostname);
}

/** `URL` writes every IPv4 address as four decimal numbers, and IPv6 in brackets. */
const isAddress = (hostname: string): boolean => /^\[|^[\d.]+$/.test(hostname);

const privateAddress = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\.|^\[f[cd][\da-f]{2}:/;

const privateName = /^([^.]+|.+\.(localhost|local|internal))$/;
