/*
 * Each test has two of whatever the MCP server keeps apart: calls that are given up and others,
 * its two clients, and the sandbox that it starts.
 */
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { environment } from '../cli/command.ts';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';
import { eventually } from '../support/eventually.ts';
import { callTool } from './support/call.ts';
import { connect, startServer } from './support/connect.ts';
import { patientClock } from './support/patient-clock.ts';
import { relayEnvironment } from './support/relay-environment.ts';

const connectorKey = `rly_${'a'.repeat(43)}.whsec_${'b'.repeat(43)}=`;

it.each([
  ['list_screens', {}],
  ['find_available_screens', { city: 'Berlin', from: '2027-03-01', to: '2027-03-14' }],
])('a call of %s that a model gives up ends its request', async (name, input) => {
  const arrived = Promise.withResolvers<void>();
  let hasLeft = false;
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    if (calls > 1) {
      response.writeHead(500).end();
      return;
    }
    arrived.resolve();
    response.once('close', () => {
      hasLeft = true;
    });
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  const env = environment(`http://127.0.0.1:${port}/api/v1`, { apiKey: 'svc_key' });
  const client = await connect(env, { clock: patientClock() });
  const giveUp = new AbortController();
  const call = client.callTool({ name, arguments: input }, { signal: giveUp.signal });
  await arrived.promise;
  giveUp.abort();
  await expect(call).rejects.toThrow();
  // Long before its time limit.
  while (!hasLeft && calls < 20) await callTool(client, 'list_campaign_requests');
  expect(hasLeft).toBe(true);
});

it('both clients, of the service and of the relay, name the MCP server', async () => {
  const agents: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    agents.push(headers['user-agent']);
    const body = { data: [], pagination: { cursor: null, has_more: false } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { port, close } = await listen(server);
  closeAfterTest(close);
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...environment(`${url}/api/v1`, { apiKey: 'svc_key' }),
    ...relayEnvironment(url, { connectorKey }),
  };
  const client = await connect(env);
  await callTool(client, 'list_campaign_requests');
  const ofService = agents.length;
  await callTool(client, 'list_events');
  expect(agents.length).toBeGreaterThan(ofService);
  for (const agent of agents) expect(agent).toMatch(/screen-advertising-mcp\/1\.2\.3/);
});

it('the sandbox that the server has started ends with it', async () => {
  const server = startServer({}, { args: ['--with-sandbox'] });
  await eventually(() => server.errors().includes('http'), 'the page of the sandbox');
  const [url = ''] = /http:\S+/.exec(server.errors()) ?? [];
  expect((await fetch(url)).status).toBe(200);
  server.stop();
  await server.ended;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
