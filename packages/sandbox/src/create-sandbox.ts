import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type ListenOptions, listen, stopListening } from '@screen-advertising/server-kit';
import { Hono } from 'hono';
import { checkAccesses, defaultAccesses, type PartnerAccess } from './access/access.ts';
import { createRateLimits } from './access/limits.ts';
import { FaultList } from './faults/faults.ts';
import { basePath, type ExchangeEnv, readExchange } from './http/exchange.ts';
import { hostGuard } from './http/guards.ts';
import { ProblemResponseError } from './http/problem-response-error.ts';
import { adminApp } from './inspector/commands.ts';
import { inspectorApp } from './inspector/inspector-app.ts';
import {
  checkOptions,
  resolveVariants,
  type SandboxOptions,
  signatureSchemeOf,
} from './options.ts';
import type { Sandbox } from './sandbox.ts';
import { rotateClientSecret, withPresentSecret } from './service/authenticate.ts';
import { RequestJournal } from './service/journal.ts';
import { landingPage, landingPageHeaders, landingPath } from './service/landing-links.ts';
import { drawScreenThumbnail, thumbnailHeaders, thumbnailPath } from './service/screens.ts';
import { serviceApp } from './service/service.ts';
import { handleServiceRequest } from './service/service-exchange.ts';
import type { SandboxContext } from './state/context.ts';
import { SeededRandom } from './state/random.ts';
import { createRecordEditor } from './state/records.ts';
import { ClockWithinLimits, isClockMoment } from './state/sandbox-clock.ts';
import { makeSeed } from './state/seed.ts';
import { StateFile } from './state/state-file.ts';
import { Store } from './state/store.ts';
import { readSnapshot, type Snapshot, type StoredData } from './state/stored-records.ts';
import { fireSandboxEvent } from './webhooks/fire.ts';
import { createWebhooks, Deliveries } from './webhooks/webhooks.ts';

/** Runs the service on one machine. Throws a RangeError for invalid options. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options);
  const { seed = 1, screens = 320 } = options;
  const closed = new AbortController();
  const context = contextOf(options, closed.signal, () => stateFile?.changed());
  const { accesses, clock, variants } = context;
  const deliveries = new Deliveries(context, options.internal?.webhookTimeoutMs);
  const faults = new FaultList(new SeededRandom(seed));
  const journal = new RequestJournal(context.log);
  const state = new LiveState(
    context,
    () => makeSeed(seed, screens, accesses),
    () => deliveries.resume(),
  );
  const stateFile = stateFileOf(options, state);
  const withSecret = (access: PartnerAccess) => withPresentSecret(context, access);
  const fireEvent: Sandbox['fire'] = async (event, data, fireOptions) =>
    fireSandboxEvent({ context, records, deliveries }, event, data, fireOptions);
  const records = createRecordEditor(context, fireEvent);
  const close = once(async (): Promise<void> => {
    closed.abort();
    clock.clear();
    await servers.close();
    await clock.settle();
    stateFile?.save();
  });
  const sandbox: Sandbox = {
    ...records,
    get accesses() {
      const [first, ...rest] = accesses;
      return [withSecret(first), ...rest.map(withSecret)] as const;
    },
    rotateClientSecret: (id) => rotateClientSecret(context, id),
    variants,
    clock,
    webhooks: createWebhooks(context),
    deliveries,
    faults,
    journal,
    ...changesOfState(state, context, [faults, journal]),
    fire: fireEvent,
    fetch: (input, init) => handle(new Request(input, init)),
    listen: (address = {}) => servers.listen(address),
    close,
  };
  const app = sandboxApp(context, sandbox, options.allowAdmin ?? false, () => {
    context.changed();
    stateFile?.save();
  });
  const asService = handleServiceRequest(context, faults, journal, options.latencyMs);
  const handle = handler(app, asService, options.allowHosts);
  const servers = new Servers(handle);
  loadFirst(state, stateFile);
  // The file sets the time. The option decides whether the clock runs.
  if (options.clock === 'frozen') clock.freeze();
  stateFile?.save();
  return sandbox;
}

function stateFileOf({ stateFile, warn }: SandboxOptions, state: LiveState): StateFile | undefined {
  return stateFile === undefined
    ? undefined
    : new StateFile(stateFile, () => state.current(), warn);
}

/** Works at the first call. Every call has its result. */
function once<Result>(work: () => Result): () => Result {
  let result: Result | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Loads the state of the file, or else the seed. */
function loadFirst(state: LiveState, stateFile: StateFile | undefined): void {
  const saved = stateFile?.read();
  if (saved) state.load(saved);
  else state.loadSeed();
}

type ChangesOfState = Pick<Sandbox, 'snapshot' | 'restore' | 'reset'>;

/** A reset also clears what is not part of the state. */
function changesOfState(
  state: LiveState,
  { changed }: SandboxContext,
  others: readonly { clear(): void }[],
): ChangesOfState {
  return {
    snapshot: () => structuredClone(state.current()),
    restore(snapshot) {
      state.load(readSnapshot(snapshot));
      changed();
    },
    reset() {
      for (const other of others) other.clear();
      state.loadSeed();
      changed();
    },
  };
}

/** Handles a request, with faults and the journal if it is for the service. */
function handler(
  app: Hono<ExchangeEnv>,
  asService: ReturnType<typeof handleServiceRequest>,
  allowHosts: readonly string[] = [],
) {
  const guard = hostGuard(allowHosts);
  return async (request: Request, socket?: HttpBindings): Promise<Response> => {
    const exchange = await readExchange(request, guard, socket).catch(toProblem);
    if (exchange instanceof Response) return exchange;
    const respond = async () => app.fetch(request, { exchange });
    const isForService = exchange.url.pathname.startsWith(`${basePath}/`);
    return isForService ? asService(exchange, respond) : respond();
  };
}

/** Makes of the options what all parts share. */
function contextOf(
  options: SandboxOptions,
  closed: AbortSignal,
  changed: () => void,
): SandboxContext {
  const variants = resolveVariants(options.variants);
  const scheme = signatureSchemeOf(variants.signatureScheme);
  return {
    accesses: checkAccesses(options.accesses ?? defaultAccesses(scheme), scheme),
    variants,
    clock: new ClockWithinLimits(options.clock ?? 'running', startOf(options.startAt)),
    store: new Store(),
    limits: createRateLimits(options.rateLimit),
    closed,
    changed,
    log: options.log ?? (() => undefined),
  };
}

function startOf(startAt: number | string | Date = Date.now()): number {
  const moment = new Date(startAt).getTime();
  if (isClockMoment(moment)) return moment;
  throw new RangeError(
    `startAt must be a time between the years 1970 and 5000, such as 2027-03-01T09:00:00Z, not ${startAt}.`,
  );
}

/**
 * All routes: the service, the links in its records, the admin API, and the inspector. `save` is
 * called after a change, and throws if it cannot be kept.
 */
function sandboxApp(
  context: SandboxContext,
  sandbox: Sandbox,
  isOpen: boolean,
  save: () => void,
): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.use(async (c, next) => {
    await next();
    if (!['GET', 'HEAD'].includes(c.req.method) && c.res.status < 400) save();
  });
  app.route(basePath, serviceApp(context));
  app.route('/_sandbox', adminApp(sandbox, isOpen));
  app.route('/', inspectorApp(sandbox, isOpen));
  app.get(landingPath, (c) => c.html(landingPage(c.env.exchange.url), 200, landingPageHeaders));
  app.get(`${thumbnailPath}/:file{.+\\.svg}`, async (c) => {
    const screen = context.store.screens.get(c.req.param('file').slice(0, -'.svg'.length));
    return screen
      ? c.body(String(await drawScreenThumbnail(screen)), 200, thumbnailHeaders)
      : c.notFound();
  });
  app.notFound((c) =>
    new ProblemResponseError(
      'not-found',
      `${c.env.exchange.url.pathname} does not exist. The base URL ends in ${basePath}.`,
    ).toResponse(),
  );
  app.onError((error) => toProblem(error));
  return app;
}

function toProblem(error: unknown): Response {
  if (error instanceof ProblemResponseError) return error.toResponse();
  const detail = `The sandbox failed: ${error instanceof Error ? error.message : String(error)}`;
  return new ProblemResponseError('internal-error', detail).toResponse();
}

/** The state of one sandbox as a whole: its records, and its clock. */
class LiveState {
  readonly #context: SandboxContext;
  readonly #makeSeed: () => StoredData;
  readonly #resume: () => void;

  /** `resume` schedules the deliveries that a loaded state still has to send. */
  constructor(context: SandboxContext, makeSeed: () => StoredData, resume: () => void) {
    this.#context = context;
    this.#makeSeed = makeSeed;
    this.#resume = resume;
  }

  /** Holds the live records, so read it before anything changes. */
  current(): Snapshot {
    const { clock, store } = this.#context;
    return { version: 1, clock: clock.state(), data: store.data() };
  }

  load({ data, clock }: Pick<Snapshot, 'data' | 'clock'>): void {
    const { clock: running, store, limits } = this.#context;
    running.clear();
    store.load(data);
    running.restore(clock);
    limits.clear();
    this.#resume();
  }

  /** The clock keeps its time. */
  loadSeed(): void {
    this.load({ data: this.#makeSeed(), clock: this.#context.clock.state() });
  }
}

type Handle = Parameters<typeof listen>[0];

/** The servers of one sandbox, which may listen at several addresses. */
class Servers {
  readonly #handle: Handle;
  readonly #running = new Set<Server>();

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  async listen(address: number | ListenOptions): Promise<{ url: string; baseUrl: string }> {
    const options = typeof address === 'number' ? { port: address } : address;
    const { server, url } = await listen(this.#handle, options);
    this.#running.add(server);
    return { url, baseUrl: `${url}${basePath}` };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((server) => stopListening(server, 0)));
  }
}
