import type { Client } from '@modelcontextprotocol/client';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { environment, typed } from '../cli/command.ts';
import { callTool } from '../mcp/support/call.ts';
import { connect } from '../mcp/support/connect.ts';
import { actionNode, credentialsOf, Engine } from '../n8n/engine.ts';
import { createPoller } from '../n8n/poller.ts';
import { createMain } from '../n8n/publishing.ts';
import { SimulatedTime } from '../n8n/simulated-time.ts';
import { createZapierRunner, readZapierError, type ZapierRunner } from '../zapier/app/zapier.ts';

type Fields = Readonly<Record<string, unknown>>;

export const faces = ['n8n', 'zapier', 'cli', 'mcp'] as const;
export type Face = (typeof faces)[number];

/** How a value arrives: written by a person, or computed from other data. */
export type How = 'typed' | 'mapped' | 'absent';

/**
 * A field of a step, and what else its form needs. In n8n, its name is a path in the parameters. What
 * follows ` # ` in a step is which of its forms it is.
 */
export interface Field {
  readonly step: string;
  readonly field: string;
  readonly others: Fields;
}

interface Arrival {
  readonly given: unknown;
  readonly how: How;
  readonly zone: string;
}

/** What a run showed: its error, or what it put out. */
interface Seen {
  readonly error?: string | undefined;
  readonly output?: unknown;
}

/** The four faces before one service. */
export class Faces {
  readonly #sandbox: Sandbox;
  readonly #baseUrl: string;
  readonly #engine: Engine;
  readonly #zapier: ZapierRunner;
  readonly #client: Client;
  #triggers = 0;

  private constructor(sandbox: Sandbox, baseUrl: string, engine: Engine, client: Client) {
    this.#sandbox = sandbox;
    this.#baseUrl = baseUrl;
    this.#engine = engine;
    this.#client = client;
    const [{ apiKey }] = sandbox.accesses;
    this.#zapier = createZapierRunner({ baseUrl, credentials: { apiKey } });
  }

  static async start(): Promise<Faces> {
    const sandbox = createSandbox({
      ...{ clock: 'frozen', startAt: '2027-01-01T09:00:00Z', screens: 20 },
      rateLimit: { requests: manyRequests },
    });
    const { baseUrl } = await sandbox.listen();
    const time = new SimulatedTime(sandbox.clock);
    const engine = await Engine.start(credentialsOf(sandbox, baseUrl), time);
    return new Faces(sandbox, baseUrl, engine, await connect(environmentOf(baseUrl, sandbox)));
  }

  /** The properties of n8n's nodes, by the name of the node. */
  get nodes(): ReadonlyMap<string, readonly INodeProperties[]> {
    const { nodes } = this.#engine.package;
    return new Map([...nodes].map(([type, { description }]) => [type, description.properties]));
  }

  /** The tools of the MCP server. */
  async tools(): Promise<Awaited<ReturnType<Client['listTools']>>['tools']> {
    return (await this.#client.listTools()).tools;
  }

  stop(): Promise<void> {
    return this.#sandbox.close();
  }

  /** What the first request holds of the field, or what else shows it; `✗` and the error of a refusal. */
  async outcome(face: Face, place: Field, arrival: Arrival): Promise<unknown> {
    const [sandbox, baseUrl] = [this.#sandbox, this.#baseUrl];
    sandbox.reset();
    sandbox.journal.clear();
    const seen: Seen = await this.#run(face, place, arrival).catch((thrown: Error) => ({
      error: thrown.message,
    }));
    const [first] = sandbox.journal.list().filter(({ path }) => !/oauth|token/.test(path));
    if (!first) return seen.output ?? `✗ ${seen.error ?? 'nothing is sent'}`;
    if (seen.output !== undefined) return seen.output;
    const { searchParams, pathname } = new URL(first.path, baseUrl);
    const body = JSON.parse(first.requestBody || '{}') as Fields;
    const name = place.field.split('.').at(-1) ?? '';
    const [, inPath] = /(?:screens|coupons|campaign-requests)\/([^/]+)/.exec(pathname) ?? [];
    const isInPath = inPath !== undefined && /^(screenId|screen_id|id|code)$/.test(name);
    if (isInPath) return decodeURIComponent(inPath);
    return searchParams.get(name) ?? body[name] ?? '—';
  }

  async #run(face: Face, { step: named, ...rest }: Field, arrival: Arrival): Promise<Seen> {
    const [step = ''] = named.split(' # ');
    const place = { ...rest, step };
    if (face === 'zapier') return await this.#inZapier(place, arrival);
    if (face === 'cli') return await this.#inShell(place, arrival);
    if (face === 'mcp') return await this.#byAgent(place, arrival);
    this.#engine.timezone = arrival.zone;
    if (place.step === 'webhook trigger') return await this.#published(place, arrival);
    if (place.step === 'polling trigger') return await this.#polled(place, arrival);
    return await this.#inN8n(place, arrival);
  }

  async #inN8n({ step, field, others }: Field, { given, how }: Arrival): Promise<Seen> {
    const [resource, operation] = step.split('.');
    const parameters = { authentication: 'apiKey', resource, operation, ...others };
    const items = [how === 'mapped' && given !== undefined ? { value: given } : {}];
    const written = how === 'mapped' ? '={{ $json.value }}' : given;
    const all = how === 'absent' ? parameters : withValue(parameters, field, written);
    const node = { type: 'screenAdvertising', parameters: all as INodeParameters };
    const { error, output } = await this.#engine.runNode(node, { items: items as IDataObject[] });
    if (error) return { error: `${error.message} ${error.description ?? ''}` };
    const [first] = output(actionNode);
    if (field === 'simplify') return { output: Object.keys(first?.json ?? {}).length };
    const [[name, file] = []] = Object.entries(first?.binary ?? {});
    if (field === 'options.binaryPropertyName') return { output: name ?? '—' };
    return /^options\.(qr_code|thumbnail)/.test(field) ? { output: file?.mimeType ?? '—' } : {};
  }

  async #polled({ field, others }: Field, { given, how }: Arrival): Promise<Seen> {
    const parameters =
      how === 'absent' ? others : withValue(others, field, inExpression(given, how));
    this.#triggers += 1;
    const poller = createPoller(this.#engine, {
      id: `poller-${this.#triggers}`,
      type: 'screenAdvertisingPollingTrigger',
      parameters: { authentication: 'apiKey', ...parameters } as INodeParameters,
    });
    await poller.poll();
    return {};
  }

  /** Publishing reads everything; nothing is sent to the service. */
  async #published({ field, others }: Field, { given, how }: Arrival): Promise<Seen> {
    const parameters =
      how === 'absent' ? others : withValue(others, field, inExpression(given, how));
    this.#triggers += 1;
    const trigger = {
      id: `trigger-${this.#triggers}`,
      type: 'screenAdvertisingTrigger',
      parameters: { delivery: 'direct', ...parameters } as INodeParameters,
    };
    const options = { database: { staticData: '{}' }, webhookUrl: () => 'https://n8n.example' };
    await createMain(this.#engine, trigger, options).publish();
    return { output: 'published' };
  }

  async #inZapier({ step, field, others }: Field, { given, how, zone }: Arrival): Promise<Seen> {
    const inputData = { ...others, ...(how !== 'absent' && { [field]: given }) };
    const empties = Object.keys(others).filter((name) => others[name] === '');
    const mapped = how === 'mapped' ? [...empties, field] : empties;
    const raw = { ...inputData, ...Object.fromEntries(mapped.map((name) => [name, tag])) };
    const bundle = { inputData, inputDataRaw: raw, meta: { timezone: zone } };
    const run = this.#zapier.run(`${step}.operation.perform`, bundle);
    const found = (await run.catch(readZapierError)) as { message?: string };
    return { error: found.message };
  }

  async #inShell({ step, field, others }: Field, { given, how }: Arrival): Promise<Seen> {
    const fields = { ...others, ...(how !== 'absent' && { [field]: given }) };
    const args = Object.entries(fields).map(([name, value]) => `--${name}=${value}`);
    const env = environmentOf(this.#baseUrl, this.#sandbox);
    const { code, errors } = await typed([...step.split(' '), ...args], env);
    return { error: code === 0 ? undefined : errors };
  }

  async #byAgent({ step, field, others }: Field, { given, how }: Arrival): Promise<Seen> {
    const own = how === 'absent' || given === undefined ? {} : { [field]: given };
    const { isError, text } = await callTool(this.#client, step, { ...others, ...own });
    return { error: isError ? text : undefined };
  }
}

/** The table sends more than the service allows in a minute. */
const manyRequests = 100_000;

function environmentOf(baseUrl: string, sandbox: Sandbox): Record<string, string> {
  const limit = { SCREEN_ADVERTISING_RATE_LIMIT: String(manyRequests) };
  return { ...environment(baseUrl, sandbox.accesses[0]), ...limit };
}

/** How Zapier writes what is mapped into a field. */
const tag = '{{1__value}}';

/** A trigger has no items, so what is computed for it comes from an expression. */
const inExpression = (given: unknown, how: How): unknown =>
  how === 'mapped' ? `={{ (${JSON.stringify(given)}) }}` : given;

/** The parameters with a value at a path, such as `options.timeout`. */
function withValue(parameters: Fields, path: string, value: unknown): Fields {
  const [name = '', ...rest] = path.split('.');
  const inner = (parameters[name] ?? {}) as Fields;
  return { ...parameters, [name]: rest.length ? withValue(inner, rest.join('.'), value) : value };
}
