import { onAbort } from '../on-abort.ts';
import { timeoutFailure } from './network-failure.ts';
import type { TransportRequest, TransportResponse } from './transport.ts';

/** What an exchange reports while it is under way. */
export interface Progress {
  /** Called once, at the end of an attempt that ends early, to close its connection. */
  onStop(close: () => void): void;
  /** The head of the response arrived. */
  onHead(head: ResponseHead): void;
}

/** A response without its body. */
type ResponseHead = Pick<TransportResponse, 'status' | 'headers'>;

/**
 * For transports: sends one request, and ends when its time is up or the caller aborts, whatever the
 * other side does. `send` resolves with the text of the body. From status 300 on, the status says
 * what happened, so a body that cannot be read counts as empty; so does one of length 0.
 * `isConnecting`: nothing was sent yet, as far as the transport can know.
 */
export function exchange(
  { url, timeoutMs, signal, onUnsent }: TransportRequest,
  failureOf: (error: unknown, url: string, isUnsent: boolean) => unknown,
  send: (progress: Progress) => Promise<string>,
  isConnecting: () => boolean = () => false,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let head: ResponseHead | undefined;
    let close: (() => void) | undefined;
    let isOver = false;
    // A connection that was left behind may look like one that is being made.
    const isUnsent = (): boolean => !head && isConnecting();
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      leave();
    };
    const fail = (error: unknown): void => {
      // Of a connection that was closed below.
      if (isOver) return;
      end();
      const isEmpty = head?.headers['content-length'] === '0';
      if (head && (head.status >= 300 || isEmpty)) resolve({ ...head, body: '' });
      else reject(failureOf(error, url, isUnsent()));
    };
    const timer = setTimeout(() => {
      fail(timeoutFailure(url));
      close?.();
    }, timeoutMs);
    // The reason is the caller's: it may be anything, also null.
    const leave = onAbort(signal, () => {
      if (isUnsent()) onUnsent?.();
      end();
      reject(signal?.reason);
      close?.();
    });
    const progress: Progress = {
      onStop: (given) => {
        close = given;
      },
      onHead: (given) => {
        head = given;
      },
    };
    send(progress).then((body) => {
      end();
      // `send` resolves after the head has arrived.
      resolve({ ...(head as ResponseHead), body });
    }, fail);
  });
}
