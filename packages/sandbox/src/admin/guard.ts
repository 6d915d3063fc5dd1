import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The administration is for this machine alone, and for its own pages: pages of other sites run in
 * browsers of this machine, too.
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

/**
 * A tunnel ends on this machine and brings requests from everywhere, under its own name: so the
 * name counts as well, and no option adds one.
 */
export function guardMachine({ url, remoteAddress, socket }: Exchange): void {
  if (!socket) return;
  const remote = plain(remoteAddress);
  const own = plain(socket.incoming.socket.localAddress);
  const isOwn = (address: string) => address !== '' && address === own;
  if (!isLoopback(remote) && !isOwn(remote)) throw refused('from this machine');
  if (!loopbackNames.has(url.hostname) && !isOwn(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw refused('under the name localhost or 127.0.0.1');
  }
}

/** A socket that takes both kinds of addresses writes those of IPv4 as ones of IPv6. */
function plain(address = ''): string {
  return address.replace(/^::ffff:/, '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function refused(from: string): Refusal {
  return new Refusal(403, 'forbidden', `You can administer the sandbox only ${from}.`);
}
