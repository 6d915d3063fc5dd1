import type { IDataObject } from 'n8n-workflow';
import type { Execution, N8nApi, Workflow } from './n8n-api.ts';
import { waitFor } from './wait.ts';

const ended = ['success', 'error', 'crashed', 'canceled'];

/** The executions of a workflow, in the order in which they are asked for. */
export class Executions {
  readonly #api: N8nApi;
  readonly #workflow: Workflow;
  readonly #known = new Set<string>();

  constructor(api: N8nApi, workflow: Workflow) {
    this.#api = api;
    this.#workflow = workflow;
  }

  /** The next ones, once so many have ended; `status` leaves out others. */
  async next(count = 1, status?: string): Promise<Execution[]> {
    const { id: workflowId, name } = this.#workflow;
    const what = `${count} executions of "${name}"`;
    const found = await waitFor({ what, withinMs: 600_000 }, async () => {
      const all = await this.#api.executions({ workflowId, ...(status && { status }) });
      const next = all.filter((one) => !this.#known.has(one.id) && ended.includes(one.status));
      return next.length >= count && next;
    });
    for (const { id } of found) this.#known.add(id);
    return await Promise.all(found.map(({ id }) => this.#api.execution(id)));
  }
}

/** The items that a node returned on its first output. */
export function outputOf({ data }: Execution, node: string): IDataObject[] {
  const runs = data?.resultData?.runData?.[node] ?? [];
  return runs.flatMap((run) => (run.data?.main?.[0] ?? []).map(({ json }) => json));
}
