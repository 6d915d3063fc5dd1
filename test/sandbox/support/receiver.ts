import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach } from '@jest/globals';
import { type Listening, listen } from '../../shared/support/loopback.ts';

export interface Arrival {
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

const opened = new Set<Listening>();

afterEach(async () => {
  await Promise.all([...opened].map((server) => server.close()));
  opened.clear();
});

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
  const listening = await listen(server);
  opened.add(listening);
  return { url: `http://127.0.0.1:${listening.port}/hook`, arrivals, answerHeaders, answers };
}
