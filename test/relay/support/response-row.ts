import type { RelayResponse, Running } from './running-relay.ts';

/** The type of the event in the world. */
export const type = 'campaign.paid';

export interface World {
  readonly running: Running;
  readonly target: string;
  readonly ids: Readonly<Record<'on' | 'off' | 'event' | 'delivery' | 'offDelivery', string>>;
  readonly stranger: string;
}

export type Row = [
  operation: string,
  status: number,
  ask: (world: World) => Promise<RelayResponse>,
  body: object | undefined,
];

/** A request such as `GET /events/{event}`, which names an ID of the world. */
const requestOf =
  (request: string, body?: unknown) =>
  ({ running, ids }: World): Promise<RelayResponse> => {
    const [method = '', path = ''] = request.split(' ');
    const filled = path.replace(/\{(\w+)\}/, (_, name: keyof World['ids']) => ids[name]);
    return running.call(method, filled, body);
  };

export const subscribing = (target_url: string, ...events: string[]) => ({ target_url, events });

/** With a token that may manage. */
export async function manages(
  { relay, call }: Running,
  method: string,
  path: string,
  body?: object,
): Promise<RelayResponse> {
  const { token } = await relay.tokens.create('main', `manager-${Math.random()}`, ['manage']);
  return call(method, path, body, token);
}

/** A request about a subscription whose token was revoked. */
export const ofRevoked =
  (method: string, at: string, body: object) =>
  async ({ running, target }: World): Promise<RelayResponse> => {
    const name = `revoked-${Math.random()}`;
    const { token } = await running.relay.tokens.create('main', name);
    const put = subscribing(`${target}/${name}`, type);
    const { id } = (await running.call('PUT', '/subscriptions', put, token)).body;
    await running.relay.tokens.revoke('main', name);
    return manages(running, method, `/subscriptions/${id}${at}`, body);
  };

export const row = (
  operation: string,
  status: number,
  request: string,
  answer: object | undefined,
  body?: unknown,
): Row => [operation, status, requestOf(request, body), answer];
