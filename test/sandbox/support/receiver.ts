import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeAfterTest } from '../../support/closing.ts';

interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook receiver on loopback that responds with the statuses of a list, then with 200. */
export interface Receiver {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** Headers of its responses. */
  readonly answerHeaders: Record<string, string>;
  /** Taken from the front; `hang` never responds. */
  readonly answers: (number | 'hang')[];
}

/** Closes automatically after the test. */
export async function startReceiver(answers: (number | 'hang')[] = []): Promise<Receiver> {
  const arrivals: Arrival[] = [];
  const answerHeaders: Record<string, string> = {};
  const server = createServer(async (request, response) => {
    arrivals.push({ headers: request.headers, body: await text(request) });
    const answer = answers.shift() ?? 200;
    if (answer !== 'hang') response.writeHead(answer, answerHeaders).end('received');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  closeAfterTest(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}/hook`, arrivals, answerHeaders, answers };
}
