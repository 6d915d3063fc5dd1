import type { Transport } from '../transport/transport.ts';
import { version } from './version.ts';

/**
 * The header `user-agent`: the caller's own name, this package, and the runtime. Undefined where
 * neither is known, since a browser asks the service's permission for it.
 */
export function userAgentOf(
  { runtime }: Pick<Transport, 'runtime'>,
  own: string | undefined,
): string | undefined {
  if (!runtime && !own) return undefined;
  const name = `screen-advertising-core/${version}`;
  return [own, name, runtime && `(${runtime})`].join(' ').trim();
}
