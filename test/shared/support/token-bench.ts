import {
  type Client,
  type ClientOptions,
  clientCredentials,
  type TokenStore,
} from '@screen-advertising/core';
import { Bench, useBench } from './bench.ts';
import type { Received, Step } from './scripted-service.ts';
import { problem, token } from './steps.ts';

export const second = 1000;
export const hour = 3600 * second;

/** A bench whose clients fetch tokens and get screens with them. */
export class TokenBench extends Bench {
  readonly credentials = { clientId: 'the-client', clientSecret: 'the-client-secret' };

  clientWithToken(options: Partial<ClientOptions> = {}, store?: TokenStore): Client {
    const auth = clientCredentials({ ...this.credentials, ...(store && { store }) });
    return this.client({ auth, ...options });
  }

  /** Accepts every request for a screen with one of these tokens. */
  accept(...good: string[]): void {
    const step: Step = (response, service, { headers }) => {
      const isGood = good.some((one) => headers.authorization === `Bearer ${one}`);
      service.release(response, isGood ? { body: { id: 'scr_1' } } : problem(401));
    };
    this.service.on('GET /screens/scr_1', step);
  }

  /** Issues these tokens, and accepts each. */
  issue(...names: string[]): void {
    this.service.on('POST /oauth/token', ...names.map((name) => token(name)));
    this.accept(...names);
  }

  get tokenRequests(): Received[] {
    return this.service.receivedFor('POST /oauth/token');
  }

  get callsSent(): Received[] {
    return this.service.receivedFor('GET /screens/scr_1');
  }
}

export const useTokenBench = (): TokenBench => useBench(new TokenBench());

export function get(from: Client, signal?: AbortSignal): Promise<unknown> {
  return from.screens.get({ screenId: 'scr_1' }, signal ? { signal } : {});
}

export function fifty(from: Client): Promise<unknown>[] {
  return Array.from({ length: 50 }, () => get(from));
}
