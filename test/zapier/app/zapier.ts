import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { createSandbox, type SandboxOptions } from '@screen-advertising/sandbox';
import { createAppHandler } from 'zapier-platform-core';
import privateApp from 'zapier-screen-advertising';

/** Credentials of one access, of either kind. */
export type Credentials =
  | { readonly apiKey: string }
  | { readonly clientId: string; readonly clientSecret: string };

type Fields = Readonly<Record<string, unknown>>;
type Results = Record<string, unknown>[];

/** A request that Zapier received at the address of a webhook. */
export interface RawRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly content: string;
}

export interface RunnerOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** More fields of the connection's form, such as `signing_secret`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The app's definition; default: the private variant. */
  readonly app?: object;
  /** More members of the event that Zapier sends the app, such as `rpc_base`. */
  readonly event?: Fields;
}

/** taint/install.ts searches what is published here for secrets. */
const [shown, failed] = [channel('test:shown'), channel('test:failed')];

const startsSession = 'authentication.sessionConfig.perform';

export type ZapierRunner = ReturnType<typeof createZapierRunner>;

/**
 * Runs the app as Zapier does: every call goes through zapier-platform-core's own handler, and the
 * session is kept on the connection and restarted when the app asks for it.
 */
export function createZapierRunner(options: RunnerOptions) {
  const handle = createAppHandler(options.app ?? privateApp);
  const { baseUrl, credentials, fields } = options;
  /** The form of a connection as a person fills it in. */
  const authData: Record<string, string> = {
    base_url: baseUrl,
    ...('apiKey' in credentials
      ? { api_key: credentials.apiKey }
      : { client_id: credentials.clientId, client_secret: credentials.clientSecret }),
    ...fields,
  };

  const cache = {};

  const execute = async (method: string, bundle: Fields): Promise<unknown> => {
    const run = handle({
      command: 'execute',
      method,
      bundle: {
        inputData: {},
        ...bundle,
        meta: { timezone: 'Europe/Berlin', ...(bundle.meta as Fields) },
        authData: { ...authData },
      },
      calledFromCli: true,
      // The content of z.cache, in zapier-platform-core's own format for tests.
      zcacheTestObj: cache,
      customLogger: (...line: unknown[]) => shown.publish({ where: "Zapier's log", value: line }),
      ...options.event,
    });
    run.catch((error: unknown) => failed.publish({ where: "Zapier's error", value: error }));
    const { results } = await run;
    // The token of a session goes to the connection, which Zapier encrypts.
    if (method !== startsSession) shown.publish({ where: "Zapier's result", value: results });
    return results;
  };

  const startSession = async (): Promise<object> =>
    Object.assign(authData, await execute(startsSession, {}));

  /** Runs again with a new session when the app says that the old one has expired. */
  const run = (method: string, bundle: Fields = {}): Promise<unknown> =>
    execute(method, bundle).catch(async (error: unknown) => {
      if ((error as Error).name !== 'RefreshAuthError') throw error;
      await startSession();
      return execute(method, bundle);
    });

  return {
    /** The data that the connection stores now. */
    authData: authData as Readonly<Record<string, string>>,
    run,
    /** Fills in the connection form again, as a person does who reconnects. */
    edit(fields: Readonly<Record<string, string>>): void {
      Object.assign(authData, fields);
    },
    /** Makes the connection, as when a person submits the form, and returns its label. */
    async connect(): Promise<string> {
      await startSession();
      const { connection } = (await run('authentication.test')) as { connection: string };
      return connection;
    },
    async create(key: string, inputData: Fields): Promise<Record<string, unknown>> {
      return (await run(`creates.${key}.operation.perform`, { inputData })) as Results[number];
    },
    /** The results of a search, on the page that `meta.paging_token` names. */
    async search(key: string, inputData: Fields, meta: Fields = {}): Promise<Results> {
      const found = await run(`searches.${key}.operation.perform`, { inputData, meta });
      return Array.isArray(found) ? found : (found as { results: Results }).results;
    },
    /** Everything that one poll returns; Zapier itself then drops what it has seen before. */
    async poll(key: string, inputData: Fields = {}, meta: Fields = {}): Promise<Results> {
      return (await run(`triggers.${key}.operation.perform`, { inputData, meta })) as Results;
    },
    /** The app's result for a request to the address of its webhook. */
    async hook(key: string, rawRequest: RawRequest): Promise<Results> {
      const bundle = { rawRequest: { method: 'POST', ...rawRequest }, cleanedRequest: {} };
      return (await run(`triggers.${key}.operation.perform`, bundle)) as Results;
    },
  };
}

// zapier-platform-core prepares the definition of an app twice for each run. What it gets is always
// the same, and deeply frozen, so here it prepares each definition once.
const tools = createRequire(import.meta.url)('zapier-platform-core/src/tools/schema') as {
  prepareApp(app: object): object;
};
const { prepareApp } = tools;
const prepared = new WeakMap<object, object>();
tools.prepareApp = (app) => {
  const known = prepared.get(app) ?? prepareApp(app);
  prepared.set(app, known);
  return known;
};

export type CredentialKind = 'API key' | 'client credentials';

export const credentialKinds: readonly CredentialKind[] = ['API key', 'client credentials'];

export type Service = Awaited<ReturnType<typeof startService>>;

/** A sandbox on loopback, and connections to it. The test closes it. */
export async function startService(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const { baseUrl } = await sandbox.listen();

  const credentialsOf = (kind: CredentialKind, wanted: string): Credentials => {
    const access = sandbox.accesses.find(({ id }) => id === wanted) ?? sandbox.accesses[0];
    const { apiKey, clientId, clientSecret } = access;
    return kind === 'API key' ? { apiKey } : { clientId, clientSecret };
  };

  return {
    sandbox,
    baseUrl,
    close: () => sandbox.close(),
    /** A connection with a started session. Default: an API key with every scope. */
    async connect(
      options: Partial<RunnerOptions> & { kind?: CredentialKind; access?: string } = {},
    ): Promise<ZapierRunner> {
      const { kind = 'API key', access = 'full', ...rest } = options;
      const credentials = credentialsOf(kind, access);
      const runner = createZapierRunner({ baseUrl, credentials, ...rest });
      await runner.connect();
      return runner;
    },
    credentialsOf,
    /** The requests since the journal was cleared, such as `GET /screens 200`. */
    calls(): string[] {
      return sandbox.journal
        .list()
        .map(({ method, path, status }) => `${method} ${path.replace(/^\/api\/v1/, '')} ${status}`);
    },
  };
}

/** An error as Zapier's backend reads it. */
export interface ZapierError {
  /** Name of the class: AppError, HaltedError, ThrottledError, ExpiredAuthError and so on. */
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  /** Seconds until Zapier runs the step again; only for ThrottledError. */
  readonly delay?: number;
}

/** Some errors of zapier-platform-core carry their parts as JSON in the message. */
export function readZapierError(error: unknown): ZapierError {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  const { name, message } = error;
  if (name !== 'AppError' && name !== 'ThrottledError') return { name, message };
  return { name, ...JSON.parse(message) };
}
