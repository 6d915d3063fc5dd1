import { loopback } from '@screen-advertising/server-kit';
import type { Delivery } from '../state/stored-records.ts';

export interface FireOptions {
  /** Fields to add or change. */
  readonly data?: object;
  /** Default: the sandbox chooses it. */
  readonly access?: string;
  /** Of a sandbox on this machine. */
  readonly port: number;
}

/** Fires an event in a sandbox that is already running, and says where it was delivered. */
export async function fireInRunning(
  type: string,
  { port, data, access }: FireOptions,
): Promise<string> {
  const page = `http://${loopback}:${port}`;
  const response = await fetch(`${page}/_sandbox/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type, data, access }),
  }).catch((cause: Error) => {
    const message = `No sandbox responds at ${page}. Start one, or choose its port: the sandbox of "run n8n" is on --port 8780.`;
    throw new Error(message, { cause });
  });
  const body = (await response.json()) as { detail?: string; data: readonly Delivery[] };
  if (!response.ok) throw new Error(body.detail);
  const lines = body.data.map(({ url, attempts: [attempt] }) => {
    return `  ${attempt?.status ?? attempt?.error ?? 'pending'}  ${url}\n`;
  });
  const nowhere = `  Not delivered: the access has no webhook address. Register one at ${page}\n`;
  return `Fired ${type}.\n${lines.join('') || nowhere}`;
}
