import { describe, expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { sendRaw } from '../support/raw-request.ts';
import { bearerToken, startServer } from './support/connect.ts';

const env = environment('http://127.0.0.1:9/api/v1', { apiKey: 'svc_key' });

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** The status of a request that a client could send, with these additional headers. */
async function ask(headers: Readonly<Record<string, string>>, path = '/mcp') {
  const url = await startServer(env, { args: ['--http', '0'] }).address;
  return sendRaw(new URL(path, url).href, {
    name: 'ping',
    body: JSON.stringify(ping),
    headers: {
      authorization: `Bearer ${bearerToken}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
  });
}

describe('over HTTP', () => {
  it.each([
    ['from this machine', {}, 200],
    ['by a name of this machine', { host: 'localhost:8788' }, 200],
    ['by a web page of this machine', { origin: 'http://localhost:3000' }, 200],
    ['by another name, as after DNS rebinding', { host: 'attacker.example' }, 403],
    ['by a web page of another site', { origin: 'https://attacker.example' }, 403],
    ['without a token', { authorization: '' }, 401],
    ['with another token', { authorization: 'Bearer another-token-of-somebody' }, 401],
    [
      'with the beginning of the token',
      { authorization: `Bearer ${bearerToken.slice(0, -1)}` },
      401,
    ],
    ['with the token in another scheme', { authorization: `Basic ${bearerToken}` }, 401],
  ])('a request %s', async (_name, headers, status) => {
    expect(await ask(headers)).toBe(status);
  });

  it('says that a path does not exist', async () => {
    expect(await ask({}, '/')).toBe(404);
  });

  it('listens on loopback only, says where, and ends when stopped', async () => {
    const server = startServer(env, { args: ['--http', '0'] });
    const url = await server.address;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(server.errors()).toBe(`Listening at ${url}. Stop with Ctrl-C.\n`);
    const response = await fetch(url);
    expect(await response.text()).toBe(
      'Send the token of this MCP server as Authorization: Bearer <token>.',
    );
    server.stop();
    expect(await server.ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });
});
