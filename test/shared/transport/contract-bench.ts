import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import {
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@screen-advertising/core';
import { closeAfterTest } from '../../support/closing.ts';
import { type Listening, listen, rawServer } from '../support/loopback.ts';
import { rejection } from '../support/rejection.ts';

export interface TransportUnderTest {
  readonly transport: Transport;
  close?(): Promise<void>;
}

const secret = 'svc_secret_of_the_header';

/** A transport for each test, and servers on this machine that behave as the test needs. */
export class ContractBench {
  #subject: TransportUnderTest | undefined;

  async begin(make: () => TransportUnderTest | Promise<TransportUnderTest>): Promise<void> {
    const subject = await make();
    this.#subject = subject;
    closeAfterTest(() => subject.close?.());
  }

  get transport(): Transport {
    if (!this.#subject) throw new Error('A transport is there only while a test runs.');
    return this.#subject.transport;
  }

  /** Keeps a server until the end of the test. */
  async open(server: Promise<Listening>): Promise<Listening> {
    const opened = await server;
    closeAfterTest(opened.close);
    return opened;
  }

  serve(answer: RequestListener): Promise<Listening> {
    return this.open(listen(createServer(answer)));
  }

  /** Responds with bytes that need not be HTTP. */
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

  /** The error that a request ended with, which never holds the secret of the request's header. */
  async failure(work: Promise<unknown>): Promise<TransportError> {
    const error = await rejection(work);
    expect(error).toBeInstanceOf(TransportError);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
    return error as TransportError;
  }
}
