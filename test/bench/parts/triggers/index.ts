import { inRounds } from '../../lib/rounds.ts';
import { atMost, type Part } from '../../lib/section.ts';
import { showSpread, spreadOf } from '../../lib/spread.ts';
import { Stage } from '../relay/stage.ts';
import { DeliveryPath, perSecond, type Turn } from './delivery-path.ts';
import { type Platform, subscribers, type } from './subscriber.ts';

const directly = 'directly';
const relayed = 'through the relay';
const platforms = Object.keys(subscribers) as Platform[];
const secretOfService = 'signing-secret-of-the-service';

const part: Part = async ({ isShort }) => {
  const samples = await Stage.open((stage) => measure(stage, isShort));
  const figures = Object.entries(samples).flatMap(([way, turns]) =>
    platforms.map((platform) => ({
      name: `${platform}, ${way}`,
      isGoal: way === relayed,
      p50: spreadOf(turns.map((turn) => turn[platform].p50)),
      p99: spreadOf(turns.map((turn) => turn[platform].p99)),
    })),
  );
  return {
    title: 'From event to start',
    intro: `${perSecond} events a second, fired in the sandbox. Each starts a workflow on n8n's engine and a Zap in Zapier's handler, once through the relay and once directly. The time runs until the engine has run the trigger, and until the handler has returned the event, without Zapier's servers. The goals are times, because people wait for them.`,
    tables: [
      {
        head: ['from fired to started', 'p50, milliseconds here', 'p99, milliseconds here'],
        rows: figures.map(({ name, p50, p99 }) => [name, showSpread(p50), showSpread(p99)]),
      },
    ],
    goals: figures
      .filter(({ isGoal }) => isGoal)
      .flatMap(({ name, p50, p99 }) => [
        atMost(`${name}: p50 in milliseconds`, p50, 250),
        atMost(`${name}: p99 in milliseconds`, p99, 1_000),
      ]),
  };
};

export default part;

async function measure(stage: Stage, isShort: boolean): Promise<Record<string, Turn[]>> {
  const [direct, throughRelay] = [new DeliveryPath(), new DeliveryPath()];
  try {
    await direct.register(await direct.open({ signingSecret: secretOfService }), secretOfService);
    const relay = stage.relay(await stage.database());
    const { url, connectorKey, secret } = await relay.start();
    await relay.subscribe(await throughRelay.open({ relayUrl: url, connectorKey }), type);
    await throughRelay.register([`${url}/in/main`], secret);
    const count = isShort ? 40 : 300;
    return await inRounds<Turn>(
      { [relayed]: () => throughRelay.fire(count), [directly]: () => direct.fire(count) },
      isShort ? 1 : 7,
      isShort ? 0 : 1,
    );
  } finally {
    direct.kill();
    throughRelay.kill();
  }
}
