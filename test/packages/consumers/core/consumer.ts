import { createHmac } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { EmptyProject } from '../../empty-project.ts';

/** A sandbox, and an access to it. */
export interface Service {
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
}

export interface Consumer {
  /** What it needs beside the core. */
  readonly packages: readonly string[];
  /** Throws if the core does not work. */
  use(project: EmptyProject, service: Service): Promise<void>;
}

const event = '{"event_id":"evt_1","type":"user.registered","data":{"user_id":"usr_1"}}';

/** What every consumer does: a first call, a list, an error, and a verified webhook. */
export const steps = `
async function steps(core, { baseUrl, key, secret, event, signature }, options = {}) {
  const { apiKey, createClient, ScreenAdvertisingError, verifyRequest } = core;
  const client = createClient({ baseUrl, auth: apiKey(key), ...options });
  const { data } = await client.screens.list({ city: 'Berlin', limit: 2 });
  const first = await client.screens.get({ screenId: data[0].id });
  const error = await client.screens.get({ screenId: 'unknown' }).catch((thrown) => thrown);
  const lost = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1', auth: apiKey(key), retry: false, ...options });
  const failure = await lost.screens.get({ screenId: 'any' }).catch((thrown) => thrown);
  const headers = { 'x-service-signature': signature };
  const request = new Request('http://127.0.0.1/hook', { method: 'POST', body: event, headers });
  const { type } = await verifyRequest(request, { secrets: [secret] });
  const known = [error, failure].every(ScreenAdvertisingError.isInstance);
  return [data.length, first.city, known, error.code, failure.code, type].join(' ');
}
`;

export const expected = '2 Berlin true not_found network_error user.registered';

/** What the steps are given: an access, and a delivery that its secret signed now. */
export function given(service: Service): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const hex = createHmac('sha256', service.secret).update(`${timestamp}.${event}`).digest('hex');
  return JSON.stringify({ ...service, event, signature: `t=${timestamp},v1=${hex}` });
}

/** Throws unless the steps printed what they should. */
export function check(name: string, printed: string, wanted: string = expected): void {
  if (printed.trim() !== wanted) throw new Error(`${name} printed:\n${printed}`);
}

/** A program in the package of one platform, where npm runs no install script. */
export function installed({ folder }: EmptyProject, pattern: string): string {
  const [found] = globSync(pattern, { cwd: join(folder, 'node_modules') });
  if (!found) throw new Error(`There is no ${pattern}.`);
  return join(folder, 'node_modules', found);
}
