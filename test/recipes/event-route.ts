import type { EventName } from '@screen-advertising/core';
import { relayProblem } from '@screen-advertising/core/webhooks';
import type { Sandbox } from '@screen-advertising/sandbox';
import { start } from '../relay/support/running-relay.ts';
import { directly } from './direct-route.ts';

/** How events get from the service to a recipe. */
export interface EventRoute {
  /** The values that a person enters for their relay. */
  readonly relay?: { readonly url: string; readonly connectorKey: string };
  /** Makes events of this kind go to the address of the recipe. */
  connect(event: EventName | typeof relayProblem.name, url: string): Promise<void>;
  /** Switches off another subscription of the relay. */
  switchOff?(name: string): Promise<void>;
  /** Delivers the newest event again: the service on its own, a relay as a person's redelivery. */
  deliverAgain(): Promise<void>;
  /** Resolves when no delivery is pending. */
  settle(): Promise<void>;
}

type OpenRoute = (sandbox: Sandbox) => Promise<EventRoute>;

/** The routes by the guide's names. */
export const routes = {
  directly: async (sandbox) => directly(sandbox),

  'through a relay': async (sandbox) => {
    // Receivers compare the time of a signature with their own clock.
    const { relay, url, call } = await start({ startAt: Date.now() });
    await relay.sources.add('service', sandbox.accesses[0].signingSecret);
    const { token, connectorKey } = await relay.tokens.create('service', 'recipe');
    return {
      relay: { url, connectorKey },
      connect: async (event, target_url) => {
        const events = event === relayProblem.name ? relayProblem.types : [event];
        await call('PUT', '/subscriptions', { target_url, events }, token);
        sandbox.webhooks.add({ url: `${url}/in/service` });
      },
      switchOff: async (name) => {
        const put = { target_url: 'http://127.0.0.1:9/', events: ['campaign.paid'], name };
        const { body } = await call('PUT', '/subscriptions', put, token);
        await relay.operate('subscriptions.change', {
          id: body.id,
          state: 'off',
          source: 'service',
        });
        await relay.clock.advance(1_000);
      },
      deliverAgain: async () => {
        const { body } = await call('GET', '/events?limit=1', undefined, token);
        await call('POST', `/events/${body.data[0].id}/redeliver`, {}, token);
      },
      settle: () => relay.clock.advance(0),
    };
  },
} as const satisfies Record<string, OpenRoute>;

export type Route = keyof typeof routes;
