import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sandbox } from '@screen-advertising/sandbox';
import { nodePackage } from './machine.ts';
import type {
  Credential,
  Credentials,
  N8nApi,
  NewWorkflow,
  Workflow,
  WorkflowNode,
} from './n8n-api.ts';

const names = {
  screenAdvertisingApi: 'Sandbox, API key',
  screenAdvertisingClientCredentialsApi: 'Sandbox, client credentials',
  screenAdvertisingWebhookApi: 'Sandbox, signing secret',
};

const relayType = 'screenAdvertisingRelayApi';

/** Where a relay is reached, and what signs in there. */
export interface RelayAccess {
  readonly baseUrl: string;
  readonly connectorKey: string;
}

/** What a person fills in for the first access of the sandbox, by type of credential. */
export function credentialData(
  { accesses: [access] }: Pick<Sandbox, 'accesses'>,
  baseUrl: string,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { apiKey, clientId, clientSecret, signingSecret } = access;
  return {
    screenAdvertisingApi: { baseUrl, apiKey },
    screenAdvertisingClientCredentialsApi: { baseUrl, clientId, clientSecret },
    screenAdvertisingWebhookApi: { signingSecret },
  };
}

/** Adds the three kinds of credentials for the sandbox's first access, and keeps existing ones. */
export async function addCredentials(
  api: N8nApi,
  sandbox: Pick<Sandbox, 'accesses'>,
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

/** The one for a relay, with the key that works now. */
export async function putRelayCredential(api: N8nApi, data: RelayAccess): Promise<Credentials> {
  const known = (await api.credentials()).find(({ type }) => type === relayType);
  const credential = known
    ? await api.updateCredential(known, data)
    : await api.createCredential('Sandbox, relay', relayType, data);
  return { [relayType]: credential };
}

type Example = NewWorkflow & { readonly nodes: readonly WorkflowNode[] };

const examples = path.join(nodePackage, 'examples');

/** Events of a relay: without one, nothing delivers them. */
const relayProblem = 'relay.problem';

/** An example workflow of the package with these credentials. */
export async function readExample(name: string, credentials: Credentials): Promise<Example> {
  const text = await readFile(path.join(examples, `${name}.json`), 'utf8');
  return withCredentials(JSON.parse(text), credentials);
}

/** All of them; without a relay, those that need none. */
async function readExamples(credentials: Credentials): Promise<Example[]> {
  const files = (await readdir(examples)).filter((file) => file.endsWith('.json')).sort();
  const names = files.map((file) => path.basename(file, '.json'));
  const workflows = await Promise.all(names.map((name) => readExample(name, credentials)));
  return workflows.filter(
    ({ nodes }) =>
      relayType in credentials ||
      !nodes.some(({ parameters }) => JSON.stringify(parameters).includes(relayProblem)),
  );
}

/** Adds those that are not there yet; gives all of them. */
export async function addExamples(
  api: N8nApi,
  credentials: Credentials,
): Promise<{ readonly workflow: Workflow; readonly isNew: boolean }[]> {
  const known = await api.workflows();
  const added = [];
  for (const example of await readExamples(credentials)) {
    const found = known.find(({ name }) => name === example.name);
    const workflow = found ? await api.workflow(found.id) : await api.createWorkflow(example);
    added.push({ workflow, isNew: !found });
  }
  return added;
}

/** A trigger receives through a relay where there is a credential for one. */
function withCredentials(workflow: Example, credentials: Credentials): Example {
  const isRelayed = relayType in credentials;
  const nodes = workflow.nodes.map((node) => {
    const isTrigger = node.type.endsWith('.screenAdvertisingTrigger');
    const types = isTrigger
      ? [isRelayed ? relayType : 'screenAdvertisingWebhookApi']
      : Object.keys(node.credentials ?? {}).filter((type) => type.startsWith('screenAdvertising'));
    // A person's model has a credential of theirs.
    const { credentials: _, ...rest } = node;
    return {
      ...rest,
      // The editor gives a trigger its address when a person imports a workflow.
      ...(isTrigger && {
        webhookId: randomUUID(),
        parameters: { ...node.parameters, delivery: isRelayed ? 'relay' : 'direct' },
      }),
      ...(types.length > 0 && {
        credentials: Object.fromEntries(
          types.map((type) => {
            const credential = credentials[type];
            if (!credential) throw new Error(`${workflow.name}: no credential of type ${type}.`);
            return [type, { id: credential.id, name: credential.name }];
          }),
        ),
      }),
    };
  });
  return { ...workflow, nodes, settings: { ...(workflow.settings as object | undefined) } };
}

/** The trigger that deliveries start, unless the workflow begins with another one. */
export function webhookTrigger({ nodes }: Workflow): WorkflowNode | undefined {
  return nodes.find(({ type }) => type.endsWith('.screenAdvertisingTrigger'));
}

/** Where the service delivers the events that start a published workflow. */
export function webhookUrl(url: string, workflow: Workflow): string {
  const { webhookId } = webhookTrigger(workflow) ?? {};
  if (webhookId === undefined) throw new Error(`${workflow.name} has no webhook.`);
  return `${url}/webhook/${webhookId}/webhook`;
}
