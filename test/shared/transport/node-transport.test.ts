import http, { Agent, type ClientRequest, type ClientRequestArgs, createServer } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { describe, expect, it, jest } from '@jest/globals';
import { nodeTransport } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import * as withoutNode from '../../../shared/src/transport/fetch-transport.ts';
import { listen } from '../support/loopback.ts';
import { describeTransport } from './transport-contract.ts';

describeTransport('nodeTransport', () => ({ transport: nodeTransport() }), {
  keepsConnections: true,
  poolsConnections: true,
});

const request = { method: 'GET', headers: {}, timeoutMs: 10_000 } as const;

describe('nodeTransport', () => {
  it("sends every request through the caller's agent", async () => {
    const server = await listen(createServer((_request, response) => response.end('{}')));
    let connections = 0;
    class Counting extends Agent {
      override createConnection(...given: Parameters<Agent['createConnection']>) {
        connections += 1;
        return super.createConnection(...given);
      }
    }
    const transport = nodeTransport({ agent: new Counting() });
    const url = `http://127.0.0.1:${server.port}/`;
    await transport.send({ ...request, url });
    await transport.send({ ...request, url, method: 'POST' });
    expect(connections).toBe(2);
    await server.close();
  });

  it('connects to an IPv6 address without the brackets of its URL', async () => {
    const server = await listen(
      createServer(({ headers }, response) => response.end(`for ${headers.host}`)),
    );
    const hosts: unknown[] = [];
    // Not every machine has IPv6.
    class Diverting extends Agent {
      override createConnection(options: ClientRequestArgs) {
        hosts.push(options.host);
        return super.createConnection({ ...options, host: '127.0.0.1' });
      }
    }
    const transport = nodeTransport({ agent: new Diverting() });
    const url = `http://[::1]:${server.port}/`;
    expect((await transport.send({ ...request, url })).body).toBe(`for [::1]:${server.port}`);
    expect(hosts).toEqual(['::1']);
    await server.close();
  });

  it('refuses an agent for the other protocol', async () => {
    const transport = nodeTransport({ agent: new SecureAgent() });
    await expect(transport.send({ ...request, url: 'http://127.0.0.1:9/' })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message:
        'The agent of nodeTransport cannot open connections over http, as the base URL needs. Pass an Agent of node:http.',
    });
  });

  it('reads `request` of node:http at each request, which mocks and tracing replace', async () => {
    const transport = nodeTransport();
    const server = await listen(createServer((_request, response) => response.end('{}')));
    const url = `http://127.0.0.1:${server.port}/`;
    await transport.send({ ...request, url });
    const replaced = jest.spyOn(http, 'request').mockImplementation(((): ClientRequest => {
      throw new Error('The mock was called.');
    }) as typeof http.request);
    await expect(transport.send({ ...request, url })).rejects.toThrow('The mock was called.');
    replaced.mockRestore();
    await server.close();
  });
});

describe('without node:http', () => {
  it('the default is fetchTransport', () => {
    expect(withoutNode.defaultTransport).toBe(fetchTransport);
  });

  it('nodeTransport refers to it', () => {
    expect(withoutNode.httpTransport).toThrow(
      'nodeTransport needs node:http, which this runtime does not have. Use fetchTransport of @screen-advertising/core/fetch.',
    );
  });
});
