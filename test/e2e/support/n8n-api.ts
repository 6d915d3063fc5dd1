import { setTimeout as wait } from 'node:timers/promises';
import type { ITaskData } from 'n8n-workflow';

/** The owner of every n8n that these tests start; it opens nothing but a server on this machine. */
export const owner = {
  email: 'owner@screen-advertising.example',
  firstName: 'Olivia',
  lastName: 'Owner',
  password: 'Sandbox-owner-1',
} as const;

export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly versionId: string;
  readonly nodes: readonly WorkflowNode[];
  readonly connections: object;
  readonly settings: object;
  readonly staticData: object | null;
}

export interface WorkflowNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly webhookId?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

export type NewWorkflow = Readonly<Record<string, unknown>> & { readonly name: string };

export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** By type. */
export type Credentials = Readonly<Record<string, Credential>>;

export interface Execution {
  readonly id: string;
  readonly workflowId: string;
  readonly mode: string;
  readonly status: string;
  readonly data?: {
    readonly resultData?: {
      readonly error?: { readonly message: string };
      /** By the name of the node. */
      readonly runData?: Readonly<Record<string, readonly ITaskData[]>>;
    };
  };
}

/** What n8n's editor calls (`/rest`), signed in as the owner, and its public interface. */
export class N8nApi {
  readonly url: string;
  #cookie = '';
  #apiKey = '';

  constructor(url: string) {
    this.url = url;
  }

  /** Makes the owner on a new server, signs in on one that has it. */
  async signIn(): Promise<void> {
    const { userManagement } = await this.rest<{
      userManagement: { showSetupOnFirstLoad: boolean };
    }>('GET', '/settings');
    const response = userManagement.showSetupOnFirstLoad
      ? await this.#send('POST', '/rest/owner/setup', owner)
      : await this.#send('POST', '/rest/login', {
          emailOrLdapLoginId: owner.email,
          password: owner.password,
        });
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    this.#apiKey = (
      await this.rest<{ rawApiKey: string }>('POST', '/api-keys', {
        label: `tests ${Date.now()}`,
        expiresAt: null,
        scopes: ['workflow:activate', 'execution:list', 'execution:read', 'execution:retry'],
      })
    ).rawApiKey;
  }

  async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#send(method, `/rest${path}`, body);
    return ((await response.json()) as { data: T }).data;
  }

  async publicApi<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.#send(method, `/api/v1${path}`, body);
    return (await response.json()) as T;
  }

  credentials(): Promise<Credential[]> {
    return this.rest('GET', '/credentials');
  }

  createCredential(name: string, type: string, data: object): Promise<Credential> {
    return this.rest('POST', '/credentials', { name, type, data });
  }

  updateCredential({ id, name, type }: Credential, data: object): Promise<Credential> {
    return this.rest('PATCH', `/credentials/${id}`, { name, type, data });
  }

  workflows(): Promise<Workflow[]> {
    return this.rest('GET', '/workflows');
  }

  workflow(id: string): Promise<Workflow> {
    return this.rest('GET', `/workflows/${id}`);
  }

  createWorkflow(workflow: NewWorkflow): Promise<Workflow> {
    return this.rest('POST', '/workflows', workflow);
  }

  /** Waits for the webhook, too, if the workflow has one. */
  async publish({ id, versionId, name }: Workflow, webhook?: string): Promise<void> {
    await this.rest('POST', `/workflows/${id}/activate`, { versionId });
    if (webhook !== undefined) await this.registered(webhook, name);
  }

  /** Resolves once n8n has registered the webhook of a workflow, a moment after publishing it. */
  async registered(webhook: string, name: string): Promise<void> {
    await until(`the webhook of "${name}"`, async () => {
      return (await fetch(webhook, { method: 'POST' })).status !== 404;
    });
  }

  /** Changes a workflow, and publishes it. Resolves once n8n has done so. */
  async change(
    id: string,
    change: (known: Workflow) => Partial<Workflow> = () => ({}),
  ): Promise<void> {
    const known = await this.workflow(id);
    const { name, nodes, versionId } = known;
    const changed = { name, nodes, versionId, ...change(known) };
    const saved = await this.rest<Workflow>('PATCH', `/workflows/${id}`, changed);
    await this.rest('POST', `/workflows/${id}/activate`, { versionId: saved.versionId });
    await until(`"${name}" to be published`, async () => {
      const path = `/workflows/${id}/publication-status`;
      return (await this.rest<{ status: string }>('GET', path)).status === 'published';
    });
  }

  unpublish(id: string): Promise<unknown> {
    return this.rest('POST', `/workflows/${id}/deactivate`);
  }

  /** As the button in the editor does: from one trigger on. Gives the id of the execution. */
  async run(workflow: Workflow, trigger: string): Promise<string> {
    const started = await this.rest<{ executionId?: string }>(
      'POST',
      `/workflows/${workflow.id}/run`,
      { triggerToStartFrom: { name: trigger } },
    );
    if (started.executionId === undefined) throw new Error(`${workflow.name} waits for a webhook.`);
    return started.executionId;
  }

  execution(id: string): Promise<Execution> {
    return this.publicApi('GET', `/executions/${id}?includeData=true`);
  }

  /** The newest first, a page at a time until there are no more. */
  async executions(filter: Readonly<Record<string, string>> = {}): Promise<Execution[]> {
    const found: Execution[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ ...filter, limit: '250', ...(cursor && { cursor }) });
      const page: { data: Execution[]; nextCursor: string | null } = await this.publicApi(
        'GET',
        `/executions?${query}`,
      );
      found.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor);
    return found;
  }

  /** Gives the new execution. */
  retry(id: string): Promise<Execution> {
    return this.publicApi('POST', `/executions/${id}/retry`, { loadWorkflow: false });
  }

  async #send(method: string, path: string, body?: unknown): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        cookie: this.#cookie,
        ...(this.#apiKey && { 'x-n8n-api-key': this.#apiKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(300_000),
    });
    if (response.ok) return response;
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 300_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited 300 s in vain for ${what}.`);
    await wait(200);
  }
}
