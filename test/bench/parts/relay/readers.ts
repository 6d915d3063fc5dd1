import { Pool } from 'undici';
import { respondToParent } from '../../lib/worker.ts';
import { send, toApi } from './requests.ts';

/** Starts clients that read a path all the time, or stops them. */
export type Order =
  | { readonly url: string; readonly token: string; readonly path: string; readonly count: number }
  | 'stop';

let isReading = false;
let readers: readonly Promise<void>[] = [];
let requests: Pool | undefined;

respondToParent(async (order: Order): Promise<void> => {
  isReading = order !== 'stop';
  if (order === 'stop') {
    await Promise.all(readers);
    await requests?.close();
    return;
  }
  const { url, token, path, count } = order;
  const pool = new Pool(url);
  requests = pool;
  readers = Array.from({ length: count }, async () => {
    // A read may end with a 503, and the next one starts.
    while (isReading) await send(pool, toApi(token, 'GET', path)).catch(() => undefined);
  });
});
