import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { Credential, N8nApi, NewWorkflow, Workflow, WorkflowNode } from './n8n-api.ts';
import { nodePackage } from './paths.ts';

/** By credential type. */
export type Credentials = Readonly<Record<string, Credential>>;

const names = {
  screenAdvertisingApi: 'Sandbox, API key',
  screenAdvertisingClientCredentialsApi: 'Sandbox, client credentials',
  screenAdvertisingWebhookApi: 'Sandbox, signing secret',
};

/** What a person fills in for the first access of the sandbox, by type of credential. */
export function credentialData(
  { accesses: [access] }: Sandbox,
  baseUrl: string,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { apiKey, clientId, clientSecret, signingSecret } = access;
  return {
    screenAdvertisingApi: { baseUrl, apiKey },
    screenAdvertisingClientCredentialsApi: { baseUrl, clientId, clientSecret },
    screenAdvertisingWebhookApi: { signingSecret },
  };
}

/** The three kinds of credentials, for the first access of the sandbox; those that are there stay. */
export async function addCredentials(
  api: N8nApi,
  sandbox: Sandbox,
  baseUrl: string,
): Promise<Credentials> {
  const stored = credentialData(sandbox, baseUrl);
  const known = await api.credentials();
  const credentials: Record<string, Credential> = {};
  for (const [type, name] of Object.entries(names)) {
    credentials[type] =
      known.find((credential) => credential.type === type && credential.name === name) ??
      (await api.createCredential(name, type, stored[type] ?? {}));
  }
  return credentials;
}

export type Example = NewWorkflow & { readonly nodes: readonly WorkflowNode[] };

/** The example workflows of the package, each with the given credentials in its nodes. */
export async function readExamples(credentials: Credentials): Promise<Example[]> {
  const folder = path.join(nodePackage, 'examples');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      const workflow = JSON.parse(await readFile(path.join(folder, file), 'utf8'));
      return withCredentials(workflow, credentials);
    }),
  );
}

function withCredentials(workflow: Example, credentials: Credentials): Example {
  const nodes = workflow.nodes.map((node) => ({
    ...node,
    // The editor gives a trigger its address when a person imports a workflow.
    ...(node.type.endsWith('.screenAdvertisingTrigger') && { webhookId: randomUUID() }),
    ...(node.credentials && {
      credentials: Object.fromEntries(
        Object.keys(node.credentials).map((type) => {
          const credential = credentials[type];
          if (!credential) throw new Error(`${workflow.name}: no credential of type ${type}.`);
          return [type, { id: credential.id, name: credential.name }];
        }),
      ),
    }),
  }));
  return { ...workflow, nodes, settings: { ...(workflow.settings as object | undefined) } };
}

/** Where the service delivers the events that start a published workflow. */
export function webhookUrl(url: string, { name, nodes }: Workflow): string {
  const trigger = nodes.find(({ type }) => type.endsWith('.screenAdvertisingTrigger'));
  if (trigger?.webhookId === undefined) throw new Error(`${name} has no webhook.`);
  return `${url}/webhook/${trigger.webhookId}/webhook`;
}
