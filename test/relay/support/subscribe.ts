import type { Running } from './running-relay.ts';

interface Wanted extends Readonly<Record<string, unknown>> {
  /** Default: campaign.paid. */
  readonly events?: readonly string[];
  /** Default: that of the source. */
  readonly token?: string | undefined;
}

/** Subscribes a target. Returns the ID of its subscription. */
export async function subscribe(
  { call }: Running,
  target_url: string,
  { token, events = ['campaign.paid'], ...more }: Wanted = {},
): Promise<string> {
  const body = { target_url, events, ...more };
  return (await call('PUT', '/subscriptions', body, token)).body.id;
}
