import { beforeEach, expect, it, jest } from '@jest/globals';
import { environment, typed } from '../cli/command.ts';
import { connect } from '../mcp/support/connect.ts';
import { testCredential } from '../n8n/credential-dialog.ts';
import { Engine } from '../n8n/engine.ts';

import { useBench } from '../shared/support/bench.ts';
import { problem, token } from '../shared/support/steps.ts';
import { read } from '../structure/project.ts';
import { createZapierRunner } from '../zapier/app/zapier.ts';

const bench = useBench();
const credentials = { clientId: 'the-client', clientSecret: 'the-client-secret' };
const connectorKey = `rly_${'a'.repeat(43)}.whsec_${'b'.repeat(43)}=`;

const versionOf = (folder: string): string => JSON.parse(read(`${folder}/package.json`)).version;
const core = `screen-advertising-core/${versionOf('shared')}`;

beforeEach(() => {
  bench.service.on('POST /oauth/token', token('t1'), token('t2'));
  // The first token is refused, so that it is renewed, too.
  bench.service.on('GET /screens/scr_1', problem(401), { body: { id: 'scr_1' } });
  const body = { data: [], pagination: { cursor: null, has_more: false } };
  bench.service.on('GET /screens', { body });
  bench.service.on('GET /me', { body: { name: 'the key', source: 'main' } });
});

/** Each name in the requests that arrived, with the number of requests. */
function received(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { headers } of bench.service.received) {
    const name = String(headers['user-agent']);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const getScreen = { resource: 'screen', operation: 'get', screenId: 'scr_1' };

it('n8n names its package in requests for tokens, records, tests, and to the relay', async () => {
  const { baseUrl, origin } = bench.service;
  const access = { baseUrl, ...credentials };
  const engine = await Engine.start({ screenAdvertisingClientCredentialsApi: access });
  const parameters = { ...getScreen, authentication: 'clientCredentials' };
  const run = await engine.runNode({ type: 'screenAdvertising', parameters });
  expect(run.error).toBeUndefined();
  await testCredential(engine, 'screenAdvertisingClientCredentialsApi', access);
  await testCredential(engine, 'screenAdvertisingRelayApi', { baseUrl: origin, connectorKey });
  const own = `n8n-nodes-screen-advertising/${versionOf('packages/n8n-nodes-screen-advertising')}`;
  expect(received()).toEqual({ [own]: expect.any(Number) });
});

it('Zapier names its package beside itself', async () => {
  const { baseUrl, origin } = bench.service;
  const fields = { relay_base_url: origin, connector_key: connectorKey };
  const runner = createZapierRunner({ baseUrl, credentials, fields });
  await runner.connect();
  // The app renews only a token that is old enough to have expired.
  jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * 60_000);
  await runner.search('find_screen', { screen_id: 'scr_1' });
  expect(bench.service.receivedFor('POST /oauth/token')).toHaveLength(2);
  const own = `zapier-screen-advertising/${versionOf('packages/zapier-screen-advertising')}`;
  expect(received()).toEqual({ [`Zapier ${own}`]: expect.any(Number) });
});

const runtime = `(node ${process.versions.node}; ${process.platform})`;

it.each<[program: string, callWith: (env: Record<string, string>) => Promise<unknown>]>([
  ['cli', (env) => typed(['call', 'screen.get', '--screenId', 'scr_1'], env)],
  [
    'mcp',
    async (env) =>
      (await connect(env)).callTool({ name: 'get_screen', arguments: { screen_id: 'scr_1' } }),
  ],
])('the program %s names its package, the core, and the runtime', async (program, callWith) => {
  bench.service.on('GET /screens/scr_1', { body: { id: 'scr_1' } });
  await callWith(environment(bench.service.baseUrl, { apiKey: 'svc_key' }));
  expect(received()).toEqual({ [`screen-advertising-${program}/1.2.3 ${core} ${runtime}`]: 1 });
});
