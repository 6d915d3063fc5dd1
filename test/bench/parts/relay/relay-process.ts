import { createSocket } from 'node:dgram';
import { createRelay, type RelayOptions } from '@screen-advertising/relay';
import { resolveByDns } from '../../../../packages/relay/src/targets/guarded-agent.ts';
import { TargetRules } from '../../../../packages/relay/src/targets/target-rules.ts';
import { respondToParent } from '../../lib/worker.ts';

/** Starts a relay. */
export type Order = Pick<RelayOptions, 'databaseUrl'>;

export interface Access {
  readonly url: string;
  readonly token: string;
  /** What the service signs with. */
  readonly secret: string;
}

const secret = 'signing-secret-of-the-benchmark';

/** So that several processes can open one database. */
const secretKey = Buffer.alloc(32, 7).toString('base64');
const allowTargets = ['127.0.0.1'];

respondToParent(async (order: Order): Promise<Access> => {
  const relay = await createRelay({
    ...order,
    secretKey,
    allowTargets,
    resolve: resolveByDns(new TargetRules(allowTargets), [await silentNameServer()]),
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  const { url } = await relay.listen();
  if ((await relay.sources.list()).length === 0) await relay.sources.add('main', secret);
  const { token } = await relay.tokens.create('main', crypto.randomUUID());
  return { url, token, secret };
});

/** Receives the questions for all names, and responds to none. Subscribers by address need it not. */
async function silentNameServer(): Promise<string> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.unref().address().port}`;
}
