import { type AddressInfo, createServer } from 'node:net';
import { respondToParent } from '../../lib/worker.ts';
import { pageSize, screenOf } from './screens.ts';

export interface ListOptions {
  readonly pages: number;
  /** Milliseconds before each response. */
  readonly latencyMs: number;
  /** Bytes by which every screen is longer. */
  readonly moreBytes?: number;
}

/** Serves one list of screens; its cursor is the number of the page. */
let list: ListOptions = { pages: 1, latencyMs: 0 };

/** Every page holds the same screens but for their IDs: what the server costs must not grow. */
let screens = '';

function answerTo(request: string): string {
  const page = Number(/[?&]cursor=(\d+)/.exec(request)?.[1] ?? 1);
  const pagination = {
    cursor: page < list.pages ? String(page + 1) : null,
    has_more: page < list.pages,
    total_count: list.pages * pageSize,
  };
  const data = screens.replaceAll('"id":"', `"id":"${page}_`);
  const body = `{"data":${data},"pagination":${JSON.stringify(pagination)}}`;
  const head = ['HTTP/1.1 200 OK', 'content-type: application/json'];
  return [...head, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const answer = answerTo(chunk.toString('latin1'));
    if (list.latencyMs === 0) socket.write(answer);
    else setTimeout(() => socket.write(answer), list.latencyMs);
  });
});

respondToParent(async (options: ListOptions) => {
  list = options;
  const { moreBytes } = options;
  const page = Array.from({ length: pageSize }, (_, index) => screenOf(index, moreBytes));
  screens = JSON.stringify(page);
  if (!server.listening) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  return (server.address() as AddressInfo).port;
});
