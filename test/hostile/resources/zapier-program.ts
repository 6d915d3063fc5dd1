/** The app on Zapier's core, run after run, with trouble in between. */
import { prepareRecords, selfContained } from '../../zapier/app/actions.ts';
import { credentialKinds, startService } from '../../zapier/app/service.ts';
import { watchMemory } from './watch-memory.ts';

// The pauses before reads are sent again are of chance: none takes any time.
Math.random = () => 0;

const { sandbox, connect, close } = await startService();

async function round(): Promise<number> {
  let calls = 0;
  for (const kind of credentialKinds) {
    sandbox.reset();
    const zapier = await connect({ kind });
    await prepareRecords(zapier);
    for (const times of [1, 2, 3, 4]) {
      // A truncated response makes Zapier's library wait out the time limit (seen in 19.1).
      sandbox.faults.add({ fault: 'reset', probability: 0.05 });
      sandbox.faults.add({ fault: 'status', status: 503, times });
      for (const action of selfContained) {
        calls += 1;
        await action.run(zapier).catch(() => undefined);
      }
      sandbox.faults.clear();
    }
  }
  return calls;
}

await watchMemory(30, round, close);
