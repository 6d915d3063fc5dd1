import dns, { type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const file =
  process.platform === 'win32'
    ? path.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';
const freshMs = 5_000;

/** RFC 6761: this name leads nowhere else, even if the file does not list it. */
const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

let reading: { readonly at: number; readonly hosts: Promise<Hosts> } | undefined;

type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

/** The addresses of the names in the machine's hosts file, read again when it may have changed. */
function readHosts(): Promise<Hosts> {
  if (!reading || performance.now() - reading.at > freshMs) {
    const hosts = readFile(file, 'utf8').then(parseHosts, () => parseHosts(''));
    reading = { at: performance.now(), hosts };
  }
  return reading.hosts;
}

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((name) => name.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts.has('localhost') ? hosts : new Map([...hosts, ['localhost', loopback]]);
}

type Addresses = readonly LookupAddress[];

interface NameLookupOptions {
  /** Names that only this machine may know, by its network's search list or mDNS. */
  readonly isLocal?: (host: string) => boolean;
  /** `address:port` of each name server. Default: those of the operating system. */
  readonly nameServers?: readonly string[];
}

/** Shorter than the limit of a connection, so that the error names the cause. */
const longestLookupMs = 4_000;
/** A name server that is down is asked for a name only this often. */
const failureMs = 10_000;
/** RFC 8305: how long the addresses of one family wait for those of the other. */
const otherFamilyMs = 50;
/** Whatever it was that took too long: the operating system may still look up another name. */
const overdue = 'ETIMEDOUT';

/**
 * Resolves names without `dns.lookup`, which Node.js runs for two names at a time: two whose name
 * servers are silent would stop the lookups of every other name. The hosts file comes first, as in
 * the operating system, which is asked only for local names that no name server knows.
 */
export class NameLookup {
  readonly #options: NameLookupOptions;
  readonly #running = new Map<string, Promise<Addresses>>();
  readonly #failures = new Map<string, { readonly error: Error; readonly until: number }>();
  #resolver: Resolver | undefined;

  constructor(options: NameLookupOptions = {}) {
    this.#options = options;
  }

  /** All that ask for a name at the same time share one lookup. */
  resolve(host: string): Promise<Addresses> {
    const name = host.toLowerCase().replace(/\.$/, '');
    const running = this.#running.get(name);
    if (running) return running;
    const started = this.#resolve(name).finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }

  async #resolve(name: string): Promise<Addresses> {
    const now = performance.now();
    for (const [other, { until }] of this.#failures) {
      if (until <= now) this.#failures.delete(other);
    }
    const failure = this.#failures.get(name);
    if (failure) throw failure.error;
    const over = new AbortController();
    try {
      return await Promise.race([this.#find(name), timeLimit(over.signal)]);
    } catch (error) {
      const failed = described(name, error);
      this.#failures.set(name, { error: failed, until: performance.now() + failureMs });
      // The name servers may have changed with the network.
      this.#resolver = undefined;
      throw failed;
    } finally {
      over.abort();
    }
  }

  async #find(name: string): Promise<Addresses> {
    const listed = (await readHosts()).get(name);
    if (listed) return listed;
    try {
      return await this.#askNameServers(name);
    } catch (error) {
      if (!this.#options.isLocal?.(name) || codeOf(error) === dns.TIMEOUT) throw error;
      return lookup(name, { all: true });
    }
  }

  async #askNameServers(name: string): Promise<Addresses> {
    this.#resolver ??= this.#newResolver();
    const resolver = this.#resolver;
    const found: LookupAddress[] = [];
    const ask = async (family: 4 | 6) => {
      const addresses = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      found.push(...addresses.map((address) => ({ address, family })));
    };
    const both = [ask(4), ask(6)];
    await Promise.any(both);
    await Promise.race([Promise.allSettled(both), wait(otherFamilyMs)]);
    return found.toSorted((one, other) => one.family - other.family);
  }

  #newResolver(): Resolver {
    const resolver = new Resolver({ timeout: 1_000, tries: 2 });
    if (this.#options.nameServers) resolver.setServers(this.#options.nameServers);
    return resolver;
  }
}

async function timeLimit(signal: AbortSignal): Promise<never> {
  await wait(longestLookupMs, undefined, { signal });
  throw Object.assign(new Error(), { code: overdue });
}

/** Of the errors of the two families, the one that says more than that there is no address. */
function codeOf(error: unknown): string {
  const errors: readonly NodeJS.ErrnoException[] =
    error instanceof AggregateError ? error.errors : [error];
  const codes = errors.map(({ code = dns.SERVFAIL }) => code);
  return codes.find((code) => code !== dns.NOTFOUND && code !== dns.NODATA) ?? dns.NOTFOUND;
}

function described(name: string, error: unknown): Error {
  const code = codeOf(error);
  const messages: Readonly<Record<string, string>> = {
    [dns.NOTFOUND]: `${name} has no address`,
    [dns.TIMEOUT]: `the name servers of ${name} do not respond`,
    [overdue]: `${name} was not resolved within ${longestLookupMs / 1000} s`,
  };
  const message = messages[code] ?? `the name servers of ${name} did not resolve it`;
  return Object.assign(new Error(message), { code });
}
