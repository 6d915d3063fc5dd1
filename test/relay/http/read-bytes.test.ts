import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { type Running, start } from '../support/running-relay.ts';

/** Sends the head of a request and the start of its body, then breaks the connection. */
async function abort({ url }: Running, path: string, head: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const whole = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${head}\r\n`;
  await new Promise((resolve) => socket.write(whole, resolve));
  socket.resetAndDestroy();
}

async function metrics({ url }: Running): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.match(/^relay_(?:ingest|errors)_total\S* \d+$/gm) ?? [];
}

describe('uploads that break off', () => {
  it('are counted as aborted, not as errors of the relay', async () => {
    const errors: unknown[] = [];
    const running = await start({ onError: (error) => errors.push(error) });
    for (let count = 0; count < 20; count += 1) {
      await abort(running, '/in/main', 'Content-Length: 1000\r\n\r\n{"id":');
      await abort(running, '/in/main', 'Transfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n');
    }
    const counted = async () => (await metrics(running)).join().match(/\{.*\} 40\b/) !== null;
    await eventually(counted);
    expect(errors).toEqual([]);
    expect(await metrics(running)).toEqual([
      'relay_ingest_total{result="aborted"} 40',
      'relay_errors_total 0',
    ]);
  });
});
