import { createRelay, type Relay, type RelayOptions } from '@screen-advertising/relay';
import { respondToParent } from '../../lib/worker.ts';
import { secretKey } from './secret-key.ts';

/** Starts a relay in place of the one before, or only stops that one. */
export type Order = Pick<RelayOptions, 'databaseUrl' | 'role' | 'concurrentSubscriptions'> | 'stop';

export interface Access {
  readonly url: string;
  readonly token: string;
  readonly connectorKey: string;
  /** Of another connector. */
  readonly otherToken: string;
  /** Signs an operator in, once. */
  readonly signInLink: string;
  /** What the service signs with. */
  readonly secret: string;
}

const secret = 'signing-secret-of-the-benchmark';

let relay: Relay | undefined;

respondToParent(async (order: Order): Promise<Access | undefined> => {
  await relay?.close();
  relay = undefined;
  if (order === 'stop') return undefined;
  relay = await createRelay({
    ...order,
    secretKey,
    allowTargets: ['127.0.0.1'],
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const { url } = await relay.listen();
  if ((await relay.sources.list()).length === 0) await relay.sources.add('main', secret);
  const { token, connectorKey } = await relay.tokens.create('main', crypto.randomUUID());
  const { token: otherToken } = await relay.tokens.create('main', crypto.randomUUID());
  const signInLink = await relay.signInLink(url);
  return { url, token, connectorKey, otherToken, signInLink, secret };
});
