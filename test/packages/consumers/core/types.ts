import { join } from 'node:path';
import { run } from '../../run.ts';
import type { Consumer } from './consumer.ts';

/** A program that uses the client, the webhooks and the transports with their types. */
const program = `
import { apiKey, createClient, nodeTransport, operations, ScreenAdvertisingError, verifyRequest, verifyWebhook, type Coupon, type Screen } from '@screen-advertising/core';
import { fetchTransport } from '@screen-advertising/core/fetch';
import { undiciTransport } from '@screen-advertising/core/undici';
import { findAvailableScreens } from '@screen-advertising/core/availability';
import { assumptions } from '@screen-advertising/core/contract';
import { formFields } from '@screen-advertising/core/forms';
import { platformAuth } from '@screen-advertising/core/platform';
import { drawQrCode, type QrCode } from '@screen-advertising/core/qr-code';
import { createRelayClient } from '@screen-advertising/core/relay';
import { createReplayMemory } from '@screen-advertising/core/webhooks';
import { Agent } from 'node:https';

export const parts = [findAvailableScreens, assumptions, formFields, platformAuth, createRelayClient, createReplayMemory];
export const draw = async (code: QrCode): Promise<Uint8Array> => (await drawQrCode(code)).bytes;

const client = createClient({
  baseUrl: 'http://127.0.0.1:9/api/v1',
  auth: apiKey('svc_example'),
  transport: undiciTransport(),
  retry: false,
});
export const others = [nodeTransport({ agent: new Agent() }), fetchTransport({ fetch })];

export async function names(): Promise<(string | null | undefined)[]> {
  const all: (string | null | undefined)[] = [];
  for await (const screen of client.items(operations['screen.list'], { country: 'DE' })) {
    const known: Screen = screen;
    all.push(known.name);
  }
  return all;
}

export const create = (email: string): Promise<Coupon> =>
  client.coupons.create({ discount_type: 'percent', discount_value: 10, lead_email: email });

export const received = async (request: Request): Promise<[string, string]> => {
  const { key, type } = await verifyRequest(request, { secrets: ['secret'] });
  return [key, type];
};
export const { type } = verifyWebhook({ body: new ArrayBuffer(1), signature: '', secrets: ['secret'] });
export const code = (error: unknown): string =>
  ScreenAdvertisingError.isInstance(error) ? error.code : 'unknown';
`;

/** What a newcomer, or a person used to another SDK, is likely to write: the compiler refuses each. */
const mistakes = [
  "client.screens.retrieve('scr_1');",
  "client.coupons.create({ discount_type: 'percentage', discount_value: 10, lead_email: 'a@b.c' });",
  "client.coupons.create({ discount_type: 'percent', discount_value: 10 });",
  "client.coupons.get({ id: 'cpn_1' });",
  "client.screens.get('scr_1');",
  "client.screens.list({ contry: 'DE' });",
  "(await client.coupons.get({ code: 'A' })).statuss;",
  'client.screens.list({}, { timeout: 5 });',
  "createClient({ baseUrl: 'https://a.example', auth: 'svc_1' });",
  "if (event.type === 'coupon.redemed') throw new Error();",
  "if ((await client.campaignRequests.get({ id: 'cr_1' })).status === 'rejectd') throw new Error();",
  "client.landingLinks.create({ utm_campain: 'spring' });",
  'nearby({ near: 42 });',
  "relay.subscribe({ target_url: 'https://a.example', events: ['campaign.payed'] });",
];

/** In two parts: no file of this project may keep an error quiet. */
const expected = ['@ts', 'expect-error'].join('-');

const refused = `
import { apiKey, createClient, type WebhookEvent } from '@screen-advertising/core';
import { findNearbyScreens } from '@screen-advertising/core/availability';
import { createRelayClient } from '@screen-advertising/core/relay';

export const client = createClient({ baseUrl: 'https://a.example', auth: apiKey('svc_1') });
export const relay = createRelayClient({ baseUrl: 'https://a.example', connectorKey: 'rly_1' });
export declare const event: WebhookEvent;
export const nearby = (input: Parameters<typeof findNearbyScreens>[1]) =>
  findNearbyScreens(client, input);
${mistakes.map((mistake) => `// ${expected}\n${mistake}`).join('\n')}
`;

/** What a library may export whose own declarations are written: each type needs a name for others. */
const declared = `
import { apiKey, createClient, events, operations, parseEvent, verifyWebhook } from '@screen-advertising/core';
import { compoundOperations, findAvailableScreens, findNearbyScreens, watchAvailability } from '@screen-advertising/core/availability';
import { assumptions, tokenEndpoint } from '@screen-advertising/core/contract';
import { formFields, knownFields } from '@screen-advertising/core/forms';
import { leadCouponOperations, withLeadCoupons } from '@screen-advertising/core/lead-coupons';
import { createRelayClient, listRelayEvents } from '@screen-advertising/core/relay';
import { createReplayMemory, verifyStandardWebhook } from '@screen-advertising/core/webhooks';

export const client = createClient({ baseUrl: 'https://a.example', auth: apiKey('svc_1') });
export const create = operations['coupon.create'];
export const [all, known] = [operations, events];
export const compound = compoundOperations['screen.findNearby'];
export const { call, pages, screens } = client;
export const options = { ...client };
export const one = client.call(operations['screen.get'], { screenId: 'a' });
export const many = client.call(operations['screen.list'], {});
export const items = client.items(operations['campaignRequest.list']);
export const deadline = client.startDeadline('Search', {});
export const found = findAvailableScreens(client, { from: 'a', to: 'b' });
export const near = findNearbyScreens(client, { near: 'a' });
export const watched = watchAvailability(client, { from: 'a', to: 'b', change: 'either', share_pct: 3 });
export const event = verifyWebhook({ body: '', signature: '', secrets: [''] });
export const read = parseEvent('');
export const others = { assumptions, tokenEndpoint, leadCouponOperations, listRelayEvents, knownFields, verifyStandardWebhook };
export const fields = formFields(create);
export const memory = createReplayMemory();
export const coupon = withLeadCoupons(client, 'k').call(leadCouponOperations.create, {
  lead_email: '', discount_type: 'percent', discount_value: 1,
});
export const relay = createRelayClient({ baseUrl: 'https://a.example', connectorKey: 'rly_1' });
export const listed = relay.listEvents({});
export const subscribed = relay.subscribe({ target_url: '', events: ['campaign.paid'] });
`;

const subpaths = [
  'availability',
  'contract',
  'fetch',
  'forms',
  'lead-coupons',
  'platform',
  'qr-code',
];

/** A server's project has no DOM; the declarations of packages are checked as well. */
const withoutDom = ['', ...[...subpaths, 'relay', 'undici', 'webhooks'].map((name) => `/${name}`)]
  .map((name) => `core${name}`)
  .concat('sandbox')
  .map((name, nth) => `export * as part${nth} from '@screen-advertising/${name}';`)
  .join('\n');

const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
const rest = ['--target', 'es2022', '--lib', 'esnext,dom,dom.iterable', '--types', 'node'];
const emitNothing = '--noEmit';

const settings: readonly (readonly string[])[] = [
  ['--module', 'node16', 'types.mts', 'types.cts'],
  ['--module', 'nodenext', 'types.mts', 'types.cts', 'refused.mts'],
  ['--module', 'esnext', '--moduleResolution', 'bundler', 'types.mts'],
];

/**
 * What `module: commonjs` means where nothing else is set, until TypeScript 7. The declarations of zod
 * need `esModuleInterop`, which the newer settings imply.
 */
const node10 = [
  ...['--module', 'commonjs', '--moduleResolution', 'node10'],
  ...['--esModuleInterop', 'types.cts'],
];

function settingsOf(version: string): readonly (readonly string[])[] {
  const major = Number(version.split('.')[0]);
  if (major >= 7) return settings;
  return [...settings, major === 6 ? ['--ignoreDeprecations', '6.0', ...node10] : node10];
}

/** Compiles with the strictest settings, declarations of packages included. */
function compiler(version: string): Consumer {
  const name = `typescript-${version}`;
  return {
    packages: [`${name}@npm:typescript@${version}`],
    async use({ folder, write }) {
      for (const file of ['types.mts', 'types.cts']) write(file, program);
      write('refused.mts', refused);
      const tsc = join(folder, 'node_modules', name, 'bin/tsc');
      for (const setting of settingsOf(version)) {
        await run('node', [tsc, ...setting, ...strict, ...rest, emitNothing], folder);
      }
      write('declared.mts', declared);
      write('server.mts', withoutDom);
      const compile = [tsc, '--module', 'nodenext', ...strict, ...rest];
      const declarations = ['--declaration', '--emitDeclarationOnly', '--outDir', name];
      await run('node', [...compile, ...declarations, 'declared.mts'], folder);
      await run('node', [...compile, '--lib', 'es2023', emitNothing, 'server.mts'], folder);
    },
  };
}

export const types: Readonly<Record<string, Consumer>> = Object.fromEntries(
  ['5.4.5', '5.9.3', '6.0.3', '7.0.2'].map((version) => [
    `TypeScript ${version}, under node16, nodenext, bundler, and node10 where it exists`,
    compiler(version),
  ]),
);
