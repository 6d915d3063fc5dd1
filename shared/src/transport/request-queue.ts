import { onAbort } from '../on-abort.ts';
import type { TransportRequest } from './transport.ts';

/** The requests to one origin. */
interface Line {
  running: number;
  /** First in, first out. */
  readonly waiting: Set<() => void>;
}

/** Requests that run at once to one origin. */
const most = 100;

/** Limits how many requests run at once to each origin: a service that hangs holds up no other. */
export class RequestQueue {
  readonly #lines = new Map<string, Line>();

  /** Sends a request when it is its turn; rejects with the signal's reason if it aborts before. */
  async run<Response>(
    { url, signal, onSend, onUnsent }: TransportRequest,
    send: (url: URL) => Promise<Response>,
  ): Promise<Response> {
    signal?.throwIfAborted();
    const target = new URL(url);
    const { origin } = target;
    const line = this.#lines.get(origin) ?? { running: 0, waiting: new Set() };
    this.#lines.set(origin, line);
    if (line.running < most) line.running += 1;
    else await turn(line, signal, onUnsent);
    try {
      onSend?.();
      return await send(target);
    } finally {
      const [next] = line.waiting;
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) this.#lines.delete(origin);
    }
  }
}

/** Resolves when a request that has ended leaves its place to this one. */
function turn(
  { waiting }: Line,
  signal: AbortSignal | undefined,
  onUnsent: TransportRequest['onUnsent'],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      leave();
      waiting.delete(start);
    };
    const start = (): void => {
      settle();
      resolve();
    };
    const leave = onAbort(signal, () => {
      settle();
      onUnsent?.();
      reject(signal?.reason);
    });
    waiting.add(start);
  });
}
