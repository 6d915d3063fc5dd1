import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { respondToParent } from '../../lib/worker.ts';
import { now } from './load.ts';

export interface Request {
  /** Opens so many receivers. */
  readonly open?: { readonly count: number; readonly delayMs: number };
  /** Waits until so many deliveries have arrived since the last question. */
  readonly until?: number;
}

export interface Heard {
  /** Of the receivers that were opened. */
  readonly urls: readonly string[];
  /** Milliseconds from the request of the service to each arrival since the last question. */
  readonly latencies: readonly number[];
}

let latencies: number[] = [];
let onArrival: () => void = () => undefined;

respondToParent(async ({ open, until = 0 }: Request): Promise<Heard> => {
  const urls: string[] = [];
  for (let nth = 0; nth < (open?.count ?? 0); nth += 1) {
    urls.push(await openOne(open?.delayMs));
  }
  await new Promise<void>((resolve) => {
    onArrival = () => {
      if (latencies.length >= until) resolve();
    };
    onArrival();
  });
  const taken = latencies;
  latencies = [];
  return { urls, latencies: taken };
});

async function openOne(delayMs = 0): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { data } = JSON.parse(Buffer.concat(chunks).toString());
    latencies.push(now() - data.sent_at);
    onArrival();
    setTimeout(() => response.end(), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}
