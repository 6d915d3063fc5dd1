import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { generate } from 'selfsigned';
import { freePort } from '../../../support/free-port.ts';
import { type Listening, listen } from '../../support/loopback.ts';
import { broken, cases, late } from './cases.ts';
import type { Differences } from './differences.ts';

/** A case and the address that shows it. */
interface TableRow {
  readonly name: string;
  readonly law: string;
  readonly isEndless: boolean;
  readonly url: string;
}

/** What servers and proxies do, while they listen, and what every transport must make of it. */
export interface Table {
  readonly rows: readonly TableRow[];
  close(): Promise<void>;
}

export async function openTable(): Promise<Table> {
  const server = await caseServer();
  const [unsent, servers] = await unsentRows();
  const answered = cases.map(([name, , law, endless], nth) => {
    const url = `http://127.0.0.1:${server.port}/${nth}`;
    return { name, law, isEndless: law === late || endless !== undefined, url };
  });
  return {
    rows: [...answered, ...unsent],
    close: async () => void (await Promise.all([server, ...servers].map((one) => one.close()))),
  };
}

/** The request of a row, and its outcome. */
export function expectedOf({ name, law, url, isEndless }: TableRow, differences: Differences) {
  const outcome = differences[name] ?? law;
  const timeoutMs = outcome.startsWith('timeout') ? 500 : isEndless ? 5000 : 60_000;
  return { url, timeoutMs, outcome };
}

/** Serves each case at the address `/N`, its place in the list. */
function caseServer(): Promise<Listening> {
  return listen(
    createServer((socket) => {
      let received = '';
      socket.on('data', (data) => {
        received += data.toString('latin1');
        const [, nth] = /^[A-Z]+ \/(\d+) .*?\r\n\r\n/s.exec(received) ?? [];
        if (nth === undefined) return;
        received = '';
        cases[Number(nth)]?.[1](socket);
      });
    }),
  );
}

const unsent = 'network_error, sent: no';
const final = `${unsent}, final`;

/** A connection that is never made carries no request. */
async function unsentRows(): Promise<[TableRow[], Listening[]]> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
  const servers = await Promise.all(
    [
      createTlsServer({ key, cert }, (_request, response) => response.end('{}')),
      createTlsServer({ key, cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }),
      createHttpServer(),
      createServer((socket) => socket.once('data', () => socket.end())),
      createServer((socket) => socket.on('data', () => socket.resetAndDestroy())),
      createServer((socket) => socket.resume()),
    ].map(listen),
  );
  const [selfSigned, old, plain, closing, resetting, silent] = servers.map(
    ({ port }) => `https://127.0.0.1:${port}/`,
  ) as [string, string, string, string, string, string];
  const rows: TableRow[] = [
    ['a port without a listener', `http://127.0.0.1:${await freePort()}/`, unsent],
    ['a port that fetch blocks', 'http://127.0.0.1:6697/', unsent],
    ['a host that does not exist', 'http://service.invalid/', unsent],
    ['a certificate that is not trusted', selfSigned, final],
    ['versions of TLS that are too old', old, final],
    ['HTTPS to a port for HTTP', plain, final],
    ['a connection that ends before the TLS handshake', closing, unsent],
    ['a reset in the TLS handshake', resetting, unsent],
    ['silence in the TLS handshake', silent, unsent],
    ['HTTP to a port for HTTPS', selfSigned.replace('https', 'http'), broken],
  ].map(([name = '', url = '', law = '']) => ({ name, url, law, isEndless: url === silent }));
  return [rows, servers];
}
