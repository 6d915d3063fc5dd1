import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { respondToParent } from '../../lib/worker.ts';

/** Stores the bytes of each request in its own row and responds after the commit. */
respondToParent(async (connectionString: string): Promise<string> => {
  const pool = new Pool({ connectionString, max: 32 });
  await pool.query('CREATE TABLE bare (id uuid PRIMARY KEY, body bytea NOT NULL)');
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const values = [randomUUID(), Buffer.concat(chunks)];
    await pool.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2)', values });
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"stored":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
