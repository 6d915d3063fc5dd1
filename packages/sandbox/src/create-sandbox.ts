import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { checkAccesses, type PartnerAccess } from './accesses/access.ts';
import { defaultAccesses } from './accesses/default-accesses.ts';
import { sandboxApp, toProblem } from './app.ts';
import { rotateClientSecret, withPresentSecret } from './auth/client-secret.ts';
import { LimitedClock } from './clock/sandbox-clock.ts';
import type { SandboxContext } from './context.ts';
import { Faults } from './faults/faults.ts';
import { basePath, type ExchangeEnv, readExchange } from './http/exchange.ts';
import { hostGuard } from './http/guards.ts';
import { Journal } from './journal/journal.ts';
import { limitsOf } from './limits/limits.ts';
import { LiveState } from './live-state.ts';
import { isClockMoment } from './moments.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { Random } from './random.ts';
import { fire } from './records/fire.ts';
import { createRecordEditor } from './records/records.ts';
import type { Sandbox } from './sandbox.ts';
import { makeSeed } from './seed/seed.ts';
import { Servers } from './servers.ts';
import { serviceExchange } from './service-exchange.ts';
import { StateFile } from './state/state-file.ts';
import { Store } from './state/store.ts';
import { readSnapshot } from './state/stored-records.ts';
import { resolveVariants } from './variants.ts';
import { Deliveries } from './webhooks/deliveries.ts';
import { schemeOf } from './webhooks/scheme-of.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** Runs the service on one machine. Throws a RangeError for invalid options. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options);
  const { seed = 1, screens = 320 } = options;
  const closed = new AbortController();
  const context = contextOf(options, closed.signal, () => stateFile?.changed());
  const { accesses, clock, variants } = context;
  const deliveries = new Deliveries(context, options.internal?.webhookTimeoutMs);
  const faults = new Faults(new Random(seed));
  const journal = new Journal(context.log);
  const state = new LiveState(
    context,
    () => makeSeed(seed, screens, accesses),
    () => deliveries.resume(),
  );
  const stateFile = stateFileOf(options, state);
  const present = (access: PartnerAccess) => withPresentSecret(context, access);
  const fired: Sandbox['fire'] = async (event, data, fireOptions) =>
    fire({ context, records, deliveries }, event, data, fireOptions);
  const records = createRecordEditor(context, fired);
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
      return [present(first), ...rest.map(present)] as const;
    },
    rotateClientSecret: (id) => rotateClientSecret(context, id),
    variants,
    clock,
    webhooks: createWebhooks(context),
    deliveries,
    faults,
    journal,
    ...changesOfState(state, context, [faults, journal]),
    fire: fired,
    fetch: (input, init) => handle(new Request(input, init)),
    listen: (address = {}) => servers.listen(address),
    close,
  };
  const app = sandboxApp(context, sandbox, options.allowAdmin ?? false, () => {
    context.changed();
    stateFile?.save();
  });
  const asService = serviceExchange(context, faults, journal, options.latencyMs);
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

/** What the file holds, or else the seed. */
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
  asService: ReturnType<typeof serviceExchange>,
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

/** What the options say, for all parts. */
function contextOf(
  options: SandboxOptions,
  closed: AbortSignal,
  changed: () => void,
): SandboxContext {
  const variants = resolveVariants(options.variants);
  const scheme = schemeOf(variants.signatureScheme);
  return {
    accesses: checkAccesses(options.accesses ?? defaultAccesses(scheme), scheme),
    variants,
    clock: new LimitedClock(options.clock ?? 'running', startOf(options.startAt)),
    store: new Store(),
    limits: limitsOf(options.rateLimit),
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
