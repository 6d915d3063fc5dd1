import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { generate } from 'selfsigned';
import { freePort } from '../../../support/free-port.ts';
import { type Listening, listen } from '../../support/loopback.ts';
import { broken, type TableRow } from './case.ts';

const unsent = 'network_error, sent: no';
const final = `${unsent}, final`;

/** A connection that is never made carries no request. */
export async function unsentRows(): Promise<[TableRow[], Listening[]]> {
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
