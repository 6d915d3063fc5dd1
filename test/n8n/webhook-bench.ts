import { signWebhook } from '@screen-advertising/core';
import type { SignatureScheme } from '@screen-advertising/core/webhooks';
import type { INodeParameters } from 'n8n-workflow';
import { closeAfterTest } from '../support/closing.ts';
import { Engine, type StoredCredentials } from './engine.ts';
import { serveWebhook, type WebhookOptions, type WebhookServer } from './webhook-server.ts';

const secret = 'current-secret';
const credentials = {
  screenAdvertisingWebhookApi: { signingSecret: secret, previousSigningSecret: 'previous-secret' },
};

export const event = {
  id: 'evt_1',
  type: 'coupon.redeemed',
  data: { code: 'SPRING-25', lead_email: 'lead@example.com' },
};

interface PublishOptions extends WebhookOptions {
  stored?: StoredCredentials;
  /** Identifies the trigger; by default each of these tests has a separate one. */
  trigger?: string;
  /**
   * Default: 1.1, from before the relay existed, which does not state that it receives directly.
   */
  typeVersion?: number;
  /** The process that serves it; default: a separate one. */
  engine?: Engine;
}

/** The body to deliver; default: `event`, signed just now with the current secret. */
export interface Post {
  body?: string | Buffer;
  secret?: string;
  /** Age of the signature in seconds. */
  age?: number;
  scheme?: SignatureScheme;
  headers?: Record<string, string | undefined>;
}

/** Triggers that n8n serves until a test ends, and the service that delivers to them. */
export class WebhookBench {
  #triggers = 0;
  #server: WebhookServer | undefined;

  /** The trigger of this test. */
  get server(): WebhookServer {
    if (!this.#server) throw new Error('No trigger is served outside of a test.');
    return this.#server;
  }

  nextTrigger(): string {
    this.#triggers += 1;
    return `trigger-${this.#triggers}`;
  }

  /** Serves another trigger, or the same one in another process. */
  async publish(
    parameters: INodeParameters = {},
    {
      stored = credentials,
      trigger = this.nextTrigger(),
      typeVersion = 1.1,
      engine,
      ...options
    }: PublishOptions = {},
  ): Promise<WebhookServer> {
    // An engine loads its own copy of the package, as a process of n8n does.
    const opened = await serveWebhook(
      engine ?? (await Engine.start(stored)),
      {
        id: trigger,
        type: 'screenAdvertisingTrigger',
        typeVersion,
        parameters: { events: [event.type], ...parameters },
      },
      options,
    );
    closeAfterTest(() => opened.close());
    return opened;
  }

  /** Serves the trigger of a test, which calls this before. */
  async begin(): Promise<void> {
    this.#server = await this.publish();
  }

  /** The header that the service signs a body with. */
  signed(body: string | Buffer, how: Partial<Post> = {}): { 'x-service-signature': string } {
    const { age = 0, ...more } = how;
    const timestamp = Math.floor(Date.now() / 1000) - age;
    return { 'x-service-signature': signWebhook({ secret, ...more, body, timestamp }) };
  }

  async deliver(post: Post = {}, to = this.server): Promise<Response> {
    const { body = JSON.stringify(event), headers = {}, ...how } = post;
    const sent = {
      'content-type': 'application/json',
      ...this.signed(body, how),
      ...headers,
    };
    const given = Object.entries(sent).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    return await fetch(to.url, {
      method: 'POST',
      body: bytes,
      headers: Object.fromEntries(given),
    });
  }
}
