import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from '../../shared/support/loopback.ts';
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
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    arrivals.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    const answer = answers.shift() ?? 200;
    if (answer !== 'hang') response.writeHead(answer, answerHeaders).end('received');
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  return { url: `http://127.0.0.1:${port}/hook`, arrivals, answerHeaders, answers };
}
