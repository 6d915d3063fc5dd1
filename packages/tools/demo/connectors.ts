import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { actionNode, credentialsOf, Engine } from '../../../test/n8n/engine.ts';
import { serveWebhook } from '../../../test/n8n/webhook-server.ts';
import { root } from '../../../test/structure/project.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createZapierRunner } from '../../../test/zapier/app/zapier.ts';
import type { Service } from './narrator.ts';
import { delivered, fire } from './receiver.ts';

type Fields = Readonly<Record<string, unknown>>;

const germany = { country: 'DE' };
const discount = { discount_type: 'percent', discount_value: 15 };

/** The nodes as they are built for npm, on n8n's own engine. */
export async function runN8n({ narrator, sandbox, baseUrl }: Service): Promise<void> {
  narrator.chapter("n8n: the built nodes on n8n's engine");
  const engine = await Engine.start(credentialsOf(sandbox, baseUrl));
  const items = async (resource: string, operation: string, parameters: Fields) => {
    const result = await engine.runNode({
      type: 'screenAdvertising',
      parameters: { authentication: 'apiKey', resource, operation, ...parameters },
    } as Parameters<Engine['runNode']>[0]);
    if (result.error) throw result.error;
    return result.output(actionNode).map(({ json }) => json);
  };
  await narrator.step(
    'Screen > Get Many',
    () => items('screen', 'getAll', { returnAll: true, filters: germany }),
    (screens) => `${screens.length} items, first ${screens[0]?.name}`,
  );
  await narrator.step(
    'Coupon > Create',
    () => items('coupon', 'create', { ...discount, lead_email: 'n8n@example.com' }),
    ([coupon]) => `1 item, ${coupon?.code} for ${coupon?.lead_email}`,
  );
  const trigger = { id: 'trigger', type: 'screenAdvertisingTrigger' };
  const parameters = { events: ['user.registered'] };
  const server = await serveWebhook(engine, { ...trigger, typeVersion: 1.1, parameters });
  try {
    await narrator.step(
      'Trigger > On user registered',
      async () => {
        await fire(sandbox, server.url, 'user.registered');
        await eventually(() => server.executions.length === 1, 'an execution starts');
        return server.executions[0]?.[0]?.json;
      },
      (event) => `signature valid, the workflow starts with ${event?.type}`,
    );
  } finally {
    await server.close();
  }
}

/** The app on zapier-platform-core, through the handler that Zapier calls. */
export async function runZapier({ narrator, sandbox, baseUrl }: Service): Promise<void> {
  narrator.chapter("Zapier: the app on Zapier's core");
  const { apiKey, signingSecret } = sandbox.accesses[0];
  const zapier = createZapierRunner({
    baseUrl,
    credentials: { apiKey },
    fields: { signing_secret: signingSecret },
  });
  await narrator.step(
    'Connect an account',
    () => zapier.connect(),
    (label) => `as ${label}`,
  );
  await narrator.step(
    'Search > Find Screen',
    () => zapier.search('find_screen', { ...germany, city: 'Berlin' }),
    ([screen]) => `${screen?.name}, ${screen?.city}`,
  );
  await narrator.step(
    'Create > Create Coupon',
    () => zapier.create('create_coupon', { ...discount, lead_email: 'zapier@example.com' }),
    (coupon) => `${coupon.code} for ${coupon.lead_email}`,
  );
  await narrator.step(
    'Trigger > User Registered',
    async () => {
      const { body: content, signature } = await delivered(sandbox, 'user.registered');
      const headers = { 'Http-X-Service-Signature': signature };
      return zapier.hook('user_registered_manual_setup', { headers, content });
    },
    (events) => `signature valid, the Zap starts with ${events.length} event`,
  );
}

const program = (name: string): string[] => [
  '--conditions=source',
  '--no-warnings',
  path.join(root, `packages/${name}/src/main.ts`),
];

const environment = ({ sandbox, baseUrl }: Service) => ({
  ...process.env,
  SCREEN_ADVERTISING_BASE_URL: baseUrl,
  SCREEN_ADVERTISING_API_KEY: sandbox.accesses[0].apiKey,
});

/** The server as an assistant starts it: messages in lines of JSON over its standard streams. */
export async function runMcp(service: Service): Promise<void> {
  const { narrator } = service;
  narrator.chapter('MCP server: as an assistant starts it');
  const server = spawn(process.execPath, program('mcp'), {
    env: environment(service),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const send = (message: Fields) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: Fields) => {
    send({ id: method, method, params });
    const { value } = await lines.next();
    const { result, error } = JSON.parse(value ?? '{"error":"The server ended."}');
    if (!result || result.isError) throw new Error(JSON.stringify(error ?? result));
    return result;
  };
  const clientInfo = { name: 'start', version: '1' };
  try {
    await narrator.step(
      'initialize',
      () => ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
      ({ serverInfo }) => `${serverInfo.name} ${serverInfo.version}`,
    );
    send({ method: 'notifications/initialized' });
    await narrator.step(
      'tools/list',
      () => ask('tools/list', {}),
      ({ tools }) => `${tools.length} tools, such as ${tools[0].name}`,
    );
    await narrator.step(
      'tools/call list_screens',
      () => ask('tools/call', { name: 'list_screens', arguments: { ...germany, limit: 3 } }),
      ({ structuredContent }) => `${structuredContent.rows.length} screens`,
    );
  } finally {
    server.kill();
  }
}

/** The command line as a shell starts it. */
export async function runCommandLine(service: Service): Promise<void> {
  service.narrator.chapter('Command line: as a shell starts it');
  const words = ['call', 'screen.list', '--country', 'DE', '--limit', '3'];
  await service.narrator.step(
    words.join(' '),
    () =>
      promisify(execFile)(process.execPath, [...program('cli'), ...words], {
        env: environment(service),
      }),
    ({ stdout }) => `${JSON.parse(stdout).data.length} screens as JSON`,
  );
}
