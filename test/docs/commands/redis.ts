import { type AddressInfo, createServer, type Server } from 'node:net';

interface Entry {
  readonly text: string;
  readonly expiresAt: number;
}

/**
 * Speaks as much of Redis's protocol as a store of tokens needs: `GET`, and `SET` with `NX`, `PX`
 * and `PXAT`. Redis itself does not come from npm.
 */
function redisServer(): Server {
  const entries = new Map<string, Entry>();
  const live = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expiresAt > Date.now() ? entry : undefined;
  };
  const reply = ([name = '', key = '', text = '', ...options]: string[]): string => {
    if (name === 'GET') {
      const entry = live(key);
      return entry ? `$${Buffer.byteLength(entry.text)}\r\n${entry.text}\r\n` : '$-1\r\n';
    }
    if (name === 'SET') {
      if (options.includes('NX') && live(key)) return '$-1\r\n';
      const after = (option: string) => Number(options[options.indexOf(option) + 1]);
      const expiresAt = options.includes('PX') ? Date.now() + after('PX') : after('PXAT');
      entries.set(key, { text, expiresAt });
    }
    return '+OK\r\n';
  };
  return createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      for (let command = firstOf(received); command; command = firstOf(received)) {
        received = command.rest;
        socket.write(reply(command.words));
      }
    });
  });
}

/** The first command of a text, once all of it arrived. Lengths are of ASCII. */
function firstOf(text: string): { words: string[]; rest: string } | undefined {
  const [head, count] = /^\*(\d+)\r\n/.exec(text) ?? [];
  if (head === undefined) return undefined;
  const words: string[] = [];
  let at = head.length;
  while (words.length < Number(count)) {
    const [size, length] = /^\$(\d+)\r\n/.exec(text.slice(at)) ?? [];
    if (size === undefined) return undefined;
    const end = at + size.length + Number(length);
    if (text.length < end + 2) return undefined;
    words.push(text.slice(at + size.length, end));
    at = end + 2;
  }
  return { words, rest: text.slice(at) };
}

/** Starts such a server, which keeps no process running, and returns its URL. */
export async function startRedis(): Promise<string> {
  const server = redisServer().unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
