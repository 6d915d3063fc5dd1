import { loopback } from '../http/listen.ts';

export interface FireCommand {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Default: the sandbox chooses it. */
  readonly access: string | undefined;
  /** Of a sandbox on this machine. */
  readonly port: number;
}

interface Sent {
  readonly url: string;
  readonly attempts: readonly { readonly status: number | null; readonly error: string | null }[];
}

/** Fires an event in a sandbox that is already running, and says where it was delivered. */
export async function fireInRunning({ port, ...event }: FireCommand): Promise<string> {
  const page = `http://${loopback}:${port}`;
  const { status, body } = await post(`${page}/_sandbox/events`, event).catch((cause: Error) => {
    const message = `No sandbox responds at ${page}. Start one, or choose its port with --port.`;
    throw new Error(message, { cause });
  });
  if (status !== 201) throw new Error(String(body.detail));
  const deliveries = body.data as readonly Sent[];
  const lines = deliveries.map(({ url, attempts: [attempt] }) => {
    return `  ${attempt?.status ?? attempt?.error ?? 'pending'}  ${url}\n`;
  });
  const nowhere = `  Not delivered: the access has no webhook address. Register one at ${page}\n`;
  return `Fired ${event.type}.\n${lines.join('') || nowhere}`;
}

async function post(url: string, event: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
