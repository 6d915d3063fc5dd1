import {
  type Client,
  clientCredentials,
  createClient,
  nodeTransport,
  type StoredToken,
  type TokenStore,
} from '@screen-advertising/core';
import type { Sandbox } from '@screen-advertising/sandbox';
import { baseUrl } from './service.ts';

/** A client that keeps its token in a store, as the processes of a server share it. */
export function clientWithStore(
  { accesses: [{ clientId, clientSecret }], clock }: Sandbox,
  tokens: Map<string, StoredToken>,
): Client {
  const store: TokenStore = {
    get: async (key) => tokens.get(key),
    set: async (key, token) => void tokens.set(key, token),
  };
  const auth = clientCredentials({ clientId, clientSecret, store });
  return createClient({
    baseUrl,
    auth,
    transport: {
      send: nodeTransport().send,
      clock: { now: () => clock.now(), sleep: () => new Promise(() => undefined) },
    },
  });
}

export async function recordTokens(sandbox: Sandbox): Promise<[string, StoredToken][]> {
  const tokens = new Map<string, StoredToken>();
  await clientWithStore(sandbox, tokens).screens.get({ screenId: 'scr_berlin_0001' });
  return [...tokens];
}
