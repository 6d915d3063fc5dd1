import { inspect } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Engine, type WorkflowResult } from '../../../n8n/engine/engine.ts';
import { actionNode, credentialsOf } from '../../../n8n/world.ts';
import { coreMessages, isRight, type Played, type Player } from '../describe-service.ts';
import type { ServiceCell } from '../service-cell.ts';

const trySeconds = 60;

/** The action node on n8n's own engine. */
export function n8nPlayer(): Player {
  let engine: Engine;
  const run = (cell: ServiceCell, parameters: INodeParameters) =>
    engine.runNode({
      type: 'screenAdvertising',
      parameters: {
        authentication: cell.credentials === 'API key' ? 'apiKey' : 'clientCredentials',
        options: { timeout: trySeconds },
        ...parameters,
      },
      onError: 'continueRegularOutput',
    });
  return {
    platform: 'n8n',
    words: coreMessages,
    async open({ clock }) {
      engine = await Engine.start({}, clock);
    },
    async play(world, cell) {
      Object.assign(engine.credentials, credentialsOf(world.sandbox, world.baseUrl));
      return played(await run(cell, cell.task.n8n), cell.task.right);
    },
    async playAgain(_world, cell) {
      const screenId = { __rl: true, mode: 'id', value: 'scr_hostile' };
      const task = { resource: 'screen', operation: 'get', screenId };
      return played(await run(cell, task), { id: 'scr_hostile' });
    },
  };
}

/** All that a user can see of an execution is what n8n keeps of it. */
function played(result: WorkflowResult, right: Readonly<Record<string, unknown>>): Played {
  const record = result.run.data.resultData;
  const shown = `${inspect(record, { depth: 12 })} ${JSON.stringify(record)}`;
  if (result.error) return { ends: `the execution ended: ${result.error.message}`, shown };
  const records = result.output(actionNode).map(({ json }) => json);
  const failure = records.find((json) => 'error' in json);
  if (failure) return { ends: failed(failure.error, failure.details), shown };
  if (isRight(records, right)) return { ends: 'answer', shown };
  return { ends: `a wrong answer: ${JSON.stringify(records)}`, shown };
}

function failed(error: unknown, details: unknown): string {
  const { code, status, retry_after, retryable } = (details ?? {}) as IDataObject;
  if (typeof code !== 'string') return `an untyped error: ${error}`;
  return coreMessages({
    code,
    isRetryable: retryable === true,
    ...(typeof status === 'number' && { status }),
    ...(typeof retry_after === 'number' && { retryAfter: retry_after }),
  });
}
