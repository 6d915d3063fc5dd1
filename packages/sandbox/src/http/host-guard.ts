import { isIP } from 'node:net';
import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';

/** Names that only a machine, its containers or its own network give out. */
const privateEnds = ['.localhost', '.local', '.internal'];

/**
 * Refuses foreign names over a socket. Whoever owns a public name can make it lead to this machine
 * (DNS rebinding): a page of that name could then read answers here, and the demo credentials are
 * public. An address is no name, and nobody owns a private one.
 */
export function hostGuard(allowHosts: readonly string[]): (exchange: Exchange) => void {
  const allowed = new Set(allowHosts.map((name) => name.toLowerCase()));
  return ({ url, socket }) => {
    const name = url.hostname.replace(/\.$/, '');
    if (!socket || isPrivate(name) || allowed.has(name)) return;
    throw new Refusal(
      403,
      'forbidden',
      `The sandbox does not respond to the name ${name}. If the name is yours, start it with --allow-host ${name} (allowHosts in code).`,
    );
  };
}

/** Whether a text is a host name as a browser writes it, apart from its case. */
export function isHostName(text: string): boolean {
  return URL.parse(`http://${text}`)?.hostname === text.toLowerCase();
}

function isPrivate(name: string): boolean {
  const isAddress = isIP(name) !== 0 || name.startsWith('[');
  return isAddress || !name.includes('.') || privateEnds.some((end) => name.endsWith(end));
}
