import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';

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
export function readHosts(): Promise<Hosts> {
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
