import { randomUUID } from 'node:crypto';
import { type EventName, events, signWebhook } from '@screen-advertising/core';
import type { Pool } from 'undici';
import { now } from './now.ts';

export interface Sent {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Resolves with the body of the response; rejects unless it is a success. */
export async function send(
  requests: Pool,
  { method, path, headers, body = '' }: Sent,
): Promise<string> {
  const response = await requests.request({ method, path, headers, body: body || null });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
  return text;
}

/** A request of the relay's API. */
export function toApi(token: string, method: Sent['method'], path: string, body?: object): Sent {
  const headers = { authorization: `Bearer ${token}` };
  return { method, path: `/api/v1${path}`, headers, body: body && JSON.stringify(body) };
}

/** An event as the service delivers it. */
export async function deliver(requests: Pool, secret: string, type: EventName): Promise<void> {
  const data = { ...events[type].sample, sent_at: now() };
  const body = JSON.stringify({ id: randomUUID(), type, data });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = { 'x-service-signature': signWebhook({ body, secret, timestamp }) };
  await send(requests, { method: 'POST', path: '/in/main', headers, body });
}
