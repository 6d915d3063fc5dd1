import type * as Jest from '@jest/globals';
import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
  actionNode,
  credentialsOf,
  Engine,
  type RunOptions,
  type WorkflowResult,
} from './engine.ts';
import type { Time } from './n8n.ts';
import { SimulatedTime } from './simulated-time.ts';

/** The service on the loopback and n8n's engine with credentials for it. */
export interface World {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly engine: Engine;
  /** Runs on a frozen clock: the time of the nodes. */
  readonly time: SimulatedTime | undefined;
  /** Runs the action node. */
  run(parameters: INodeParameters, options?: RunOptions): Promise<WorkflowResult>;
  /** Returns the items of a run of the action node; throws the error that ended it. */
  items(parameters: INodeParameters, options?: RunOptions): Promise<INodeExecutionData[]>;
  stop(): Promise<void>;
}

/** `given` is the time of the nodes alone, unless the sandbox's clock is frozen for both. */
export async function startWorld(options: SandboxOptions = {}, given?: Time): Promise<World> {
  const sandbox = createSandbox(options);
  const { baseUrl } = await sandbox.listen();
  // A frozen clock stops for both: time passes when both wait for it.
  const time = options.clock === 'frozen' ? new SimulatedTime(sandbox.clock) : undefined;
  const engine = await Engine.start(credentialsOf(sandbox, baseUrl), time ?? given);
  const run: World['run'] = (parameters, runOptions) =>
    engine.runNode({ type: 'screenAdvertising', parameters }, runOptions);
  return {
    sandbox,
    baseUrl,
    engine,
    time,
    run,
    async items(parameters, runOptions) {
      const result = await run(parameters, runOptions);
      const { error } = result;
      // n8n is of another realm than the nodes, so it reads no message of a TypeError of theirs.
      if (error) throw error.message === '' ? error.errorResponse : error;
      return result.output(actionNode);
    },
    stop: () => sandbox.close(),
  };
}

/** Jest's own, which are missing where a script starts a world. */
const { afterAll, beforeAll, beforeEach } = globalThis as unknown as typeof Jest;

/** A world for the tests of a file; each finds the service as it was. */
export function useWorld(options?: SandboxOptions, time?: Time): World {
  const world = {} as World;
  beforeAll(async () => {
    Object.assign(world, await startWorld(options, time));
  });
  beforeEach(() => world.sandbox.reset());
  afterAll(() => world.stop());
  return world;
}
