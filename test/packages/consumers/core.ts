import { emptyProject } from '../empty-project.ts';
import type { Tarball } from '../pack.ts';

/** A program that uses the client, the webhooks and the transport with their types. */
const program = `
import { apiKey, createClient, operations, ScreenAdvertisingError, signWebhook, verifyWebhook, type Coupon, type Screen } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';

const client = createClient({
  baseUrl: 'http://127.0.0.1:9/api/v1',
  auth: apiKey('svc_example'),
  transport: undiciTransport(),
  retry: false,
});

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

const body = '{"type":"user.registered","data":{}}';
const signature = signWebhook({ body, secret: 'secret', timestamp: Math.floor(Date.now() / 1000) });
console.log(verifyWebhook({ body, signature, secrets: ['secret'] }).type);
await client.screens.get({ screenId: 'x' }).catch((error: unknown) => {
  console.log(ScreenAdvertisingError.isInstance(error) ? error.code : error);
});
`;

const expected = 'user.registered\nnetwork_error\n';

export function tryCore(folder: string, core: Tarball): void {
  const tools = ['undici@8.12.4', '@types/node@24.19.2'];
  const project = emptyProject(folder, 'core-consumer', [core.file, ...tools]);
  project.write('program.ts', program);
  project.compile('program.ts');
  const printed = project.node('program.ts');
  if (printed !== expected) throw new Error(`The program printed:\n${printed}`);
}
