import { randomUUID } from 'node:crypto';
import { type EventName, events, signWebhook } from '@screen-advertising/core';
import type { Pool } from 'undici';
import { now } from './now.ts';

export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Rejects unless the response is a success. */
export async function send(
  requests: Pool,
  { method, path, headers, body = '' }: Sent,
): Promise<void> {
  const response = await requests.request({ method, path, headers, body: body || null });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
}

/** An event as the service delivers it. */
export async function deliver(requests: Pool, secret: string, type: EventName): Promise<void> {
  const data = { ...events[type].sample, sent_at: now() };
  const body = JSON.stringify({ id: randomUUID(), type, data });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = { 'x-service-signature': signWebhook({ body, secret, timestamp }) };
  await send(requests, { method: 'POST', path: '/in/main', headers, body });
}
