import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRelay as create, type Log } from '../../packages/relay/src/index.ts';
import { closeAfterFile } from '../support/closing.ts';
import { watch } from './watch.ts';

export * from '../../packages/relay/src/index.ts';

/** The real relay, with its log, its errors and its responses under watch. */
export const createRelay: typeof create = async (options = {}) => {
  const relay = await create({
    ...options,
    log: watched(options.log),
    onError(error) {
      watch.failure('an error of the relay', error);
      options.onError?.(error);
    },
  });
  const { listen } = relay;
  relay.listen = async (...at) => {
    const listening = await listen(...at);
    watchResponsesOf(listening.url);
    return listening;
  };
  return relay;
};

/** As it is given to a logger, which need not hide anything. */
function watched(log?: Log): Log {
  const level =
    (name: keyof Log): Log[keyof Log] =>
    (fields, text) => {
      watch.failure("the relay's log", { ...fields, text });
      log?.[name](fields, text);
    };
  return {
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

const channel = 'http.server.request.start';
const ports = new Set<number>();

/** From now on, the watch sees every response of this server: API, pages, metrics and streams. */
function watchResponsesOf(url: string): void {
  if (ports.size === 0) {
    subscribe(channel, onRequest);
    closeAfterFile(() => unsubscribe(channel, onRequest));
  }
  ports.add(Number(new URL(url).port));
}

/** The responses that show a new connector key, once. */
const keyPage = /^201 POST \/operator\/actions\/(?:create|rotate)-token$/;

const onRequest = (message: unknown): void => {
  const { request, response, server } = message as Exchange;
  if (!ports.has((server.address() as AddressInfo | null)?.port ?? 0)) return;
  const { end, write } = response;
  const chunks: Buffer[] = [];
  const add = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const look = () => {
    const body = Buffer.concat(chunks.splice(0)).toString();
    const { statusCode, statusMessage } = response;
    if (keyPage.test(`${statusCode} ${request.method} ${request.url}`)) return;
    watch.data("the relay's response", `${statusMessage} ${headersOf(response)}\n${body}`);
  };
  Object.assign(response, {
    write(...values: unknown[]) {
      add(values[0]);
      return Reflect.apply(write, response, values);
    },
    // Before the client gets it, and thus before the end of the test.
    end(...values: unknown[]) {
      add(values[0]);
      look();
      return Reflect.apply(end, response, values);
    },
  });
  // A stream that ended with its connection.
  response.once('close', () => chunks.length > 0 && look());
};

function headersOf(response: ServerResponse): string {
  return JSON.stringify(response.getHeaders());
}
