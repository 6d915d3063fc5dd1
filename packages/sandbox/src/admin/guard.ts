import type { Exchange } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reserves the admin API for this machine and its own pages. Pages of other sites run in browsers
 * on this machine, too.
 */
export function guardAdmin(exchange: Exchange): void {
  guardMachine(exchange);
  const { url, headers, socket } = exchange;
  if (!socket) return;
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site') ?? 'none';
  if ((origin !== null && origin !== url.origin) || !['none', 'same-origin'].includes(site)) {
    throw refused('from its own pages');
  }
}

/** Headers that a proxy adds. Browsers send none of them. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * A tunnel or proxy ends on this machine but brings outside requests, usually under its own name.
 * So the name must match as well, and no option adds one.
 */
export function guardMachine({ url, headers, remoteAddress, socket }: Exchange): void {
  if (!socket) return;
  if (proxyHeaders.some((name) => headers.has(name)))
    throw refused('directly, not through a proxy');
  const remote = plain(remoteAddress);
  const own = plain(socket.incoming.socket.localAddress);
  const isOwn = (address: string) => address !== '' && address === own;
  if (!isLoopback(remote) && !isOwn(remote)) throw refused('from this machine');
  if (!loopbackNames.has(url.hostname) && !isOwn(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw refused('under the name localhost or 127.0.0.1');
  }
}

/** A dual-stack socket shows IPv4 addresses as IPv6 ones. */
function plain(address = ''): string {
  return address.replace(/^::ffff:/, '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function refused(from: string): ProblemResponseError {
  return new ProblemResponseError('forbidden', `You can administer the sandbox only ${from}.`);
}
