import { Pool } from 'undici';
import { respondToParent } from '../../lib/worker.ts';
import { type Sent, send } from './requests.ts';

/** Starts so many clients, each of which sends a request again and again, or stops them. */
export type Order =
  | { readonly url: string; readonly request: Sent; readonly count: number }
  | 'stop';

let isSending = false;
let clients: readonly Promise<void>[] = [];
let requests: Pool | undefined;

respondToParent(async (order: Order): Promise<void> => {
  isSending = order !== 'stop';
  if (order === 'stop') {
    await Promise.all(clients);
    await requests?.close();
    return;
  }
  const { url, request, count } = order;
  const pool = new Pool(url);
  requests = pool;
  clients = Array.from({ length: count }, async () => {
    // One may end with a 503, and the next one starts.
    while (isSending) await send(pool, request).catch(() => undefined);
  });
});
