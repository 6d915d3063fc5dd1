import { signWebhook } from '@screen-advertising/core';
import { send } from '../support/running-relay.ts';

/** Delivers an event to the source "main" like the service, now. Returns the status. */
export async function deliver(url: string, secret: string, event: object): Promise<number> {
  const body = JSON.stringify(event);
  const signature = signWebhook({ body, secret, timestamp: Math.floor(Date.now() / 1000) });
  const headers = { 'x-service-signature': signature };
  return (await send(`${url}/in/main`, 'POST', headers, body)).status;
}
