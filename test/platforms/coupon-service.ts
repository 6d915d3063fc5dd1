import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createSandbox, type Sandbox } from '@screen-advertising/sandbox';
import { listen } from '../shared/support/loopback.ts';
import { closeAfterTest } from '../support/closing.ts';

/** What happens to one request for a coupon: `late` arrives after its caller gave up. */
export type Fate = 'arrives' | 'lost after' | 'late';

export interface CouponService {
  readonly sandbox: Sandbox;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What happens to the next requests; all others arrive. */
  readonly fates: Fate[];
  /** The requests for coupons, such as `GET MQRHR63QTA`. */
  readonly log: string[];
}

/** A sandbox behind a network that loses requests and responses. Closed after the test. */
export async function couponService(): Promise<CouponService> {
  const sandbox = createSandbox({ screens: 1, clock: 'frozen', startAt: '2027-03-01T09:00:00Z' });
  const [fates, log, late]: [Fate[], string[], (() => unknown)[]] = [[], [], []];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await buffer(request);
    const [, coupon] = /\/coupons\/?(.*)$/.exec(url) ?? [];
    const fate = coupon === undefined ? 'arrives' : (fates.shift() ?? 'arrives');
    if (coupon !== undefined) log.push([method, coupon].filter(Boolean).join(' '));
    const forward = () =>
      sandbox.fetch(`http://127.0.0.1${url}`, {
        method,
        headers: {
          authorization: String(headers.authorization),
          'content-type': 'application/json',
        },
        ...(body.length > 0 && { body }),
      });
    if (fate === 'late') {
      late.push(forward);
      return void request.socket.destroy();
    }
    const result = await forward();
    for (const arrive of fate === 'arrives' ? late.splice(0) : []) await arrive();
    if (fate === 'lost after') return void request.socket.destroy();
    response.writeHead(result.status, Object.fromEntries(result.headers));
    response.end(Buffer.from(await result.arrayBuffer()));
  }

  const server = await listen(createServer((request, response) => void serve(request, response)));
  closeAfterTest(async () => {
    await server.close();
    await sandbox.close();
  });
  const [{ apiKey }] = sandbox.accesses;
  return { sandbox, baseUrl: `http://127.0.0.1:${server.port}/api/v1`, apiKey, fates, log };
}
