import { createSocket } from 'node:dgram';
import { closeAfterTest } from '../../support/closing.ts';

/** What a name server says about the IPv4 addresses of a name; `silent`: it does not respond. */
export type Reply = readonly string[] | 'unknown' | 'failure' | 'silent';

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** The names whose IPv4 addresses were asked for, in order. */
  readonly asked: readonly string[];
}

const codes = { none: 0, failure: 2, unknown: 3 } as const;
const ipv4 = 1;

/**
 * A name server on this machine. Closes after the test, and then fails what it was silent about, so
 * that no lookup outlives the test.
 */
export async function startNameServer(reply: (name: string) => Reply): Promise<NameServer> {
  const asked: string[] = [];
  const silences: (() => void)[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, question } = readQuery(query);
    if (type === ipv4) asked.push(name);
    const says = reply(name);
    const send = (said: Exclude<Reply, 'silent'>) =>
      socket.send(
        response(query, question, type === ipv4 ? said : addressless(said)),
        port,
        address,
      );
    if (says === 'silent') silences.push(() => send('failure'));
    else send(says);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  closeAfterTest(async () => {
    for (const end of silences) end();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => socket.close(resolve));
  });
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function addressless(said: Exclude<Reply, 'silent'>): Exclude<Reply, 'silent'> {
  return typeof said === 'string' ? said : [];
}

/** RFC 1035, section 4.1.2. */
function readQuery(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = query.subarray(12, at + 5);
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), question };
}

/** RFC 1035, section 4.1: the question again, and an A record for each address. */
function response(query: Buffer, question: Buffer, said: Exclude<Reply, 'silent'>): Buffer {
  const addresses = typeof said === 'string' ? [] : said;
  const code = codes[typeof said === 'string' ? said : 'none'];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, ipv4, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, question, ...records]);
}
