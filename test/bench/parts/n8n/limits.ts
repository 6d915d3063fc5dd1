import type { Sandbox } from '@screen-advertising/sandbox';
import type { EngineNode } from '../../../n8n/engine/engine.ts';
import { startType } from '../../../n8n/engine/node-types.ts';
import { startWorld, type World } from '../../../n8n/world.ts';
import { respondToParent } from '../../lib/worker.ts';
import { addHttpRequest } from './base-node.ts';
import { lookUps, tokenLookUps } from './workflows.ts';

/** What nodes do about the limits of the service: 600 requests a minute, and tokens of an hour. */
export interface LimitsResult {
  /** Items with a result, out of all that were sent in. */
  readonly came: Readonly<Record<string, number>>;
  /** Requests for a token. */
  readonly tokens: Readonly<Record<string, number>>;
}

export interface LimitsTask {
  readonly items: number;
  readonly runs: number;
}

respondToParent(async ({ items, runs }: LimitsTask): Promise<LimitsResult> => {
  const ours = lookUps['this node'];
  const theirs = lookUps['HTTP Request, all at once'];
  if (!ours || !theirs) throw new Error('There is no such workflow.');
  const emails = Array.from({ length: items }, (_, index) => ({
    email: `lead-${index}@x.example`,
  }));
  return {
    came: {
      'this node': await cameOf(ours.nodes, emails),
      'HTTP Request': await cameOf(theirs.nodes, emails),
      'HTTP Request, On Error: Continue': await cameOf(
        (baseUrl) =>
          theirs.nodes(baseUrl).map((node) => ({ ...node, onError: 'continueRegularOutput' })),
        emails,
      ),
    },
    tokens: Object.fromEntries(
      await Promise.all(
        Object.entries(tokenLookUps).map(async ([name, nodes]) => [
          name,
          await tokensOf(nodes, runs),
        ]),
      ),
    ),
  };
});

/** On a clock that stands still but for those who wait for it. */
async function inWorld<Result>(work: (world: World) => Promise<Result>): Promise<Result> {
  const world = await startWorld({ clock: 'frozen' });
  try {
    await addHttpRequest(world.engine);
    return await work(world);
  } finally {
    await world.stop();
  }
}

async function cameOf(
  nodes: (baseUrl: string) => EngineNode[],
  items: { email: string }[],
): Promise<number> {
  return inWorld(async ({ engine, baseUrl }) => {
    const workflow = [start, ...nodes(baseUrl)];
    const result = await engine.runWorkflow(workflow, { items });
    if (result.error) return 0;
    const outputs = result.output(workflow.at(-1)?.name ?? 'Screen Advertising');
    return outputs.filter(({ json }) => json.error === undefined).length;
  });
}

async function tokensOf(nodes: (sandbox: Sandbox, baseUrl: string) => EngineNode[], runs: number) {
  return inWorld(async ({ engine, sandbox, baseUrl }) => {
    for (let run = 0; run < runs; run += 1) {
      const workflow = [start, ...nodes(sandbox, baseUrl)];
      const { error } = await engine.runWorkflow(workflow, {
        items: [{ email: 'lead@x.example' }],
      });
      if (error) throw error;
    }
    return sandbox.journal.list().filter(({ operation }) => operation === 'token').length;
  });
}

const start = { name: 'Start', type: startType, parameters: {} };
