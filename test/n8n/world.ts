import { createSandbox, type Sandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { StoredCredentials } from './engine/credentials-helper.ts';
import { Engine, type RunOptions, type WorkflowResult } from './engine/engine.ts';
import type { Time } from './engine/load-package.ts';
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

export const actionNode = 'Screen Advertising';

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
      if (result.error) throw result.error;
      return result.output(actionNode);
    },
    stop: () => sandbox.close(),
  };
}

/** Everything that n8n stores for an access, by credential type. */
export function credentialsOf(sandbox: Sandbox, baseUrl: string, id?: string): StoredCredentials {
  const access = sandbox.accesses.find((other) => other.id === id) ?? sandbox.accesses[0];
  return {
    screenAdvertisingApi: { baseUrl, apiKey: access.apiKey },
    screenAdvertisingClientCredentialsApi: {
      baseUrl,
      clientId: access.clientId,
      clientSecret: access.clientSecret,
    },
    screenAdvertisingWebhookApi: { signingSecret: access.signingSecret },
  };
}
