import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect } from '@jest/globals';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@screen-advertising/core';
import { rejection } from '../../support/bench.ts';
import { type Listening, listen, rawServer } from '../../support/loopback.ts';

export interface TransportUnderTest {
  readonly transport: Transport;
  close?(): Promise<void>;
}

/** What not every transport can do. */
export interface TransportTraits {
  /** It gives up on an answer whose body has more bytes; default 8 MiB. */
  readonly maxResponseBytes?: number;
  /** A `100 Continue` that it did not ask for breaks the connection. */
  readonly refusesContinue?: boolean;
  /** It uses a connection for several requests. */
  readonly keepsConnections?: boolean;
  /** It has at most 100 of them, and tells one that the service closed meanwhile. */
  readonly poolsConnections?: boolean;
  /** It sends what must not be sent twice over a connection that was in use a moment ago. */
  readonly reusesBusyConnections?: boolean;
  /** It takes the status 000 for 200. */
  readonly misreadsStatusZero?: boolean;
  /** It waits in vain for the rest of a body when the service has closed the connection. */
  readonly missesShortBodies?: boolean;
}

/** Why a caller aborts. */
export const reason = new Error('The caller has left.');

const secret = 'svc_secret_of_the_header';

/** A transport for each test, and servers on this machine that behave as the test wants. */
export class ContractBench {
  readonly traits: TransportTraits;
  #subject: TransportUnderTest | undefined;
  #listening: Listening[] = [];

  constructor(
    make: () => TransportUnderTest | Promise<TransportUnderTest>,
    traits: TransportTraits,
  ) {
    this.traits = traits;
    beforeEach(async () => {
      this.#subject = await make();
    });
    afterEach(async () => {
      await this.#subject?.close?.();
      for (const server of this.#listening.splice(0)) await server.close();
    });
  }

  get transport(): Transport {
    if (!this.#subject) throw new Error('A transport is there only while a test runs.');
    return this.#subject.transport;
  }

  /** Keeps a server until the end of the test. */
  async open(server: Promise<Listening>): Promise<Listening> {
    const opened = await server;
    this.#listening.push(opened);
    return opened;
  }

  serve(answer: RequestListener): Promise<Listening> {
    return this.open(listen(createServer(answer)));
  }

  /** Answers with bytes that need not be HTTP. */
  serveRaw(answer: (socket: Socket) => void): Promise<Listening> {
    return this.open(rawServer(answer));
  }

  send(port: number, request: Partial<TransportRequest> = {}): Promise<TransportResponse> {
    return this.transport.send({
      method: 'GET',
      url: `http://127.0.0.1:${port}/api/v1/screens`,
      headers: { accept: 'application/json', authorization: `Bearer ${secret}` },
      timeoutMs: 10_000,
      ...request,
    });
  }

  /** The error that a request ended with; it never holds the secret of its header. */
  async failure(work: Promise<unknown>): Promise<TransportError> {
    const error = await rejection(work);
    expect(error).toBeInstanceOf(TransportError);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
    return error as TransportError;
  }

  /** The words for a connection that broke. */
  broke(port: number): unknown {
    return expect.stringMatching(
      `^The connection to 127\\.0\\.0\\.1:${port} broke before the response was complete( \\(\\w+\\))?\\. Retry\\.$`,
    );
  }
}
