import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeAfterTest } from '../../support/closing.ts';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * A webhook receiver on loopback until the end of the test. It responds with the statuses of a list,
 * taken from the front, then with 200; `hang` never responds.
 */
export async function startReceiver(answers: (number | 'hang')[] = []) {
  const arrivals: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
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
