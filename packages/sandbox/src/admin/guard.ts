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
    throw refused('from its own pages only, not from other sites');
  }
}

/** The host name is looked at because a foreign name can be made to lead here. */
export function guardMachine({ url, remoteAddress, socket }: Exchange): void {
  if (!socket) return;
  if (!isLoopback(remoteAddress)) throw refused('from this machine only');
  if (!loopbackNames.has(url.hostname)) throw refused('under the name localhost or 127.0.0.1 only');
}

function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}

function refused(from: string): Refusal {
  return new Refusal(403, 'forbidden', `The sandbox is administered ${from}.`);
}
