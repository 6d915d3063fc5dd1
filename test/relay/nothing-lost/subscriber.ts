import { createServer } from 'node:http';
import { type Listening, listen } from '../../shared/support/loopback.ts';
import { bodyOf } from './service.ts';

/** The response to an attempt that is not accepted. */
export type Misbehavior = 410 | 500 | 'reset' | undefined;

/** What one subscriber received, by event number. */
export class Subscriber {
  readonly attempts = new Map<number, number>();
  readonly accepted = new Map<number, number>();
  /** The IDs that the relay gave each event. */
  readonly ids = new Map<number, Set<string>>();
  /** Bodies that the service did not send. */
  readonly strange: string[] = [];
  readonly #misbehaves: (number: number, attempt: number) => Misbehavior;
  #listening: Listening | undefined;

  constructor(misbehaves: (number: number, attempt: number) => Misbehavior) {
    this.#misbehaves = misbehaves;
  }

  /** Its address. */
  async start(): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      // A killed sender may have sent half of a body.
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method === 'DELETE') {
        response.writeHead(200).end();
        return;
      }
      const body = Buffer.concat(chunks).toString();
      const number = this.#read(body, String(request.headers['webhook-id']));
      const attempt = (this.attempts.get(number) ?? 0) + 1;
      this.attempts.set(number, attempt);
      const answer = this.#misbehaves(number, attempt);
      if (answer === 'reset') {
        request.socket.resetAndDestroy();
        return;
      }
      if (answer === undefined) {
        this.accepted.set(number, (this.accepted.get(number) ?? 0) + 1);
      }
      response.writeHead(answer ?? 200).end();
    });
    server.on('clientError', (_error, socket) => socket.destroy());
    this.#listening = await listen(server);
    return `http://127.0.0.1:${this.#listening.port}/hook`;
  }

  async stop(): Promise<void> {
    await this.#listening?.close();
  }

  #read(body: string, id: string): number {
    const { number } = JSON.parse(body).data as { number: number };
    if (body !== bodyOf(number)) this.strange.push(body);
    const ids = this.ids.get(number) ?? new Set();
    this.ids.set(number, ids.add(id));
    return number;
  }
}
