import { createRelay, type Relay, type RelayOptions } from '@screen-advertising/relay';
import { respondToParent } from '../../lib/worker.ts';

/** Starts a relay in place of the one before, or only stops that one. */
export type Order = Pick<RelayOptions, 'databaseUrl' | 'role' | 'internal'> | 'stop';

export interface Access {
  readonly url: string;
  readonly token: string;
  /** What the service signs with. */
  readonly secret: string;
}

const secret = 'signing-secret-of-the-benchmark';
/** Of every relay, so that several processes can open one database. */
const secretKey = Buffer.alloc(32, 7).toString('base64');

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
  const { token } = await relay.tokens.create('main', crypto.randomUUID());
  return { url, token, secret };
});
