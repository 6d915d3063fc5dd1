import { signWebhook } from '@screen-advertising/core';
import { send, sourceSecret } from './running-relay.ts';

/** Delivers an event to the source "main" of a relay on the real clock. Returns the status. */
export async function postEvent(
  url: string,
  event: object,
  secret = sourceSecret,
): Promise<number> {
  const body = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = { 'x-service-signature': signWebhook({ body, secret, timestamp }) };
  return (await send(`${url}/in/main`, 'POST', headers, body)).status;
}
