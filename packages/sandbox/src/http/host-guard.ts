import { isIP } from 'node:net';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { Exchange } from './exchange.ts';

/** Suffixes that only a machine, its containers or its network assign. */
const privateEnds = ['.localhost', '.local', '.internal'];

/**
 * Rejects foreign host names over a socket. The owner of a public name can point it at this machine
 * (DNS rebinding): a page under that name could then read responses here, and the demo credentials
 * are public. IP addresses and private names cannot be abused this way.
 */
export function hostGuard(allowHosts: readonly string[]): (exchange: Exchange) => void {
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
