import { isIP } from 'node:net';
import { isLoopbackHost } from '@screen-advertising/server-kit';
import type { HttpExchange } from './exchange.ts';
import { ProblemResponseError } from './problem-response-error.ts';

/** Suffixes that only a machine, its containers or its network assign. */
const privateEnds = ['.localhost', '.local', '.internal'];

/**
 * Rejects foreign host names over a socket. The owner of a public name can point it at this machine
 * (DNS rebinding): a page under that name could then read responses here, and the demo credentials
 * are public. IP addresses and private names cannot be abused this way.
 */
export function hostGuard(allowHosts: readonly string[]): (exchange: HttpExchange) => void {
  const allowed = new Set(allowHosts.map((name) => name.toLowerCase()));
  return ({ url, socket }) => {
    const name = url.hostname.replace(/\.$/, '');
    if (!socket || isPrivate(name) || allowed.has(name)) return;
    throw new ProblemResponseError(
      'forbidden',
      `The sandbox does not respond to the name ${name}. If the name is yours, start it with --allow-host ${name} (allowHosts in code).`,
    );
  };
}

/** Whether a text is a host name as browsers write it, ignoring case. */
export function isHostName(text: string): boolean {
  return URL.parse(`http://${text}`)?.hostname === text.toLowerCase();
}

function isPrivate(name: string): boolean {
  const isAddress = isIP(name) !== 0 || name.startsWith('[');
  return isAddress || !name.includes('.') || privateEnds.some((end) => name.endsWith(end));
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reserves the admin API for this machine and its own pages. Pages of other sites run in browsers
 * on this machine, too.
 */
export function guardAdmin(exchange: HttpExchange, isOpen: boolean): void {
  guardLocalMachine(exchange, isOpen);
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
 * So the name must match as well, and no option adds one. `isOpen` admits other machines under
 * these names, such as the one whose port leads into a container.
 */
export function guardLocalMachine(
  { url, headers, remoteAddress, socket }: HttpExchange,
  isOpen: boolean,
): void {
  if (!socket) return;
  if (proxyHeaders.some((name) => headers.has(name)))
    throw refused('directly, not through a proxy');
  const remote = plain(remoteAddress);
  const own = plain(socket.incoming.socket.localAddress);
  const isOwn = (address: string) => address !== '' && address === own;
  if (!isOpen && !isLoopbackHost(remote) && !isOwn(remote)) throw refused('from this machine');
  if (!loopbackNames.has(url.hostname) && !isOwn(url.hostname.replace(/^\[(.*)\]$/, '$1'))) {
    throw refused('under the name localhost or 127.0.0.1');
  }
}

/** A dual-stack socket shows IPv4 addresses as IPv6 ones. */
function plain(address = ''): string {
  return address.replace(/^::ffff:/, '');
}

function refused(from: string): ProblemResponseError {
  return new ProblemResponseError('forbidden', `You can administer the sandbox only ${from}.`);
}
