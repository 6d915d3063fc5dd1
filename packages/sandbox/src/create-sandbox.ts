import type { Server } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { listen, stopListening } from '@screen-advertising/server-kit';
import { checkAccesses, type PartnerAccess } from './accesses/access.ts';
import { defaultAccesses } from './accesses/default-accesses.ts';
import { sandboxApp, toProblem } from './app.ts';
import { rotateClientSecret, withPresentSecret } from './auth/client-secret.ts';
import { LimitedClock } from './clock/sandbox-clock.ts';
import type { SandboxContext } from './context.ts';
import { Faults } from './faults/faults.ts';
import { basePath, readExchange } from './http/exchange.ts';
import { hostGuard } from './http/guards.ts';
import { Journal } from './journal/journal.ts';
import { limitsOf } from './limits/limits.ts';
import { isClockMoment } from './moments.ts';
import { checkOptions, type SandboxOptions } from './options.ts';
import { Random } from './random.ts';
import { fire } from './records/fire.ts';
import { createRecordEditor } from './records/records.ts';
import type { Sandbox } from './sandbox.ts';
import { makeSeed } from './seed/seed.ts';
import { serviceExchange } from './service-exchange.ts';
import { stateFileAt } from './state/state-file.ts';
import { Store } from './state/store.ts';
import { readSnapshot, type Snapshot } from './state/stored-records.ts';
import { resolveVariants } from './variants.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { schemeOf } from './webhooks/scheme-of.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

/** Runs the service on one machine. Throws a RangeError for invalid options. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options);
  const { seed = 1, screens = 320 } = options;
  const variants = resolveVariants(options.variants);
  const scheme = schemeOf(variants.signatureScheme);
  const accesses = checkAccesses(options.accesses ?? defaultAccesses(scheme), scheme);
  const closed = new AbortController();
  const context: SandboxContext = {
    accesses,
    variants,
    clock: new LimitedClock(options.clock ?? 'running', startOf(options.startAt)),
    store: new Store(),
    limits: limitsOf(options.rateLimit),
    closed: closed.signal,
    changed: () => stateFile?.changed(),
  };
  const deliveries = createDeliveries(context, options.webhookTimeoutMs);
  const faults = new Faults(new Random(seed));
  const journal = new Journal();
  const servers = new Set<Server>();

  const load = ({ data, clock }: Pick<Snapshot, 'data' | 'clock'>): void => {
    context.clock.clear();
    context.store.load(data);
    context.clock.restore(clock);
    context.limits.clear();
    deliveries.resume();
  };
  const loadSeed = () =>
    load({ data: makeSeed(seed, screens, accesses), clock: context.clock.state() });
  /** Of the live records: to read before anything changes. */
  const state = (): Snapshot => ({
    version: 1,
    clock: context.clock.state(),
    data: context.store.data(),
  });
  const present = (access: PartnerAccess) => withPresentSecret(context, access);
  const stateFile =
    options.stateFile === undefined
      ? undefined
      : stateFileAt(options.stateFile, state, options.warn);

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closed.abort();
    context.clock.clear();
    await Promise.all([...servers].map((server) => stopListening(server, 0)));
    await context.clock.settle();
    stateFile?.save();
  };

  const fired: Sandbox['fire'] = async (event, data, fireOptions) =>
    fire({ context, records, deliveries }, event, data, fireOptions);
  const records = createRecordEditor(context, fired);
  const sandbox: Sandbox = {
    ...records,
    get accesses() {
      const [first, ...rest] = accesses;
      return [present(first), ...rest.map(present)] as const;
    },
    rotateClientSecret: (id) => rotateClientSecret(context, id),
    variants: context.variants,
    clock: context.clock,
    webhooks: createWebhooks(context),
    deliveries,
    faults,
    journal,
    snapshot: () => structuredClone(state()),
    restore(snapshot) {
      load(readSnapshot(snapshot));
      context.changed();
    },
    fire: fired,
    reset() {
      faults.clear();
      journal.clear();
      loadSeed();
      context.changed();
    },
    fetch: (input, init) => handle(new Request(input, init)),
    async listen(address = {}) {
      const { server, url } = await listen(
        handle,
        typeof address === 'number' ? { port: address } : address,
      );
      servers.add(server);
      return { url, baseUrl: `${url}${basePath}` };
    },
    close() {
      closing ??= close();
      return closing;
    },
  };

  const app = sandboxApp(context, sandbox, options.allowAdmin ?? false, () => {
    context.changed();
    stateFile?.save();
  });
  const asService = serviceExchange(context, faults, journal, options.latencyMs);
  const guard = hostGuard(options.allowHosts ?? []);
  const handle = async (request: Request, socket?: HttpBindings): Promise<Response> => {
    const read = await readExchange(request, guard, socket).catch(toProblem);
    if (read instanceof Response) return read;
    const respond = async () => app.fetch(request, { exchange: read });
    return read.url.pathname.startsWith(`${basePath}/`) ? asService(read, respond) : respond();
  };

  const saved = stateFile?.read();
  if (saved) load(saved);
  else loadSeed();
  // The file sets the time. The option decides whether the clock runs.
  if (options.clock === 'frozen') context.clock.freeze();
  stateFile?.save();
  return sandbox;
}

function startOf(startAt: number | string | Date = Date.now()): number {
  const moment = new Date(startAt).getTime();
  if (isClockMoment(moment)) return moment;
  throw new RangeError(
    `startAt must be a time between the years 1970 and 5000, such as 2027-03-01T09:00:00Z, not ${startAt}.`,
  );
}
