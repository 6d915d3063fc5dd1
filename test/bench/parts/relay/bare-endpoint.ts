import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Pool } from 'pg';
import { urlOf } from '../../../support/server-url.ts';
import { respondToParent } from '../../lib/worker.ts';

/** Stores the bytes of each request in its own row and responds after the commit. */
respondToParent(async (connectionString: string): Promise<string> => {
  const pool = new Pool({ connectionString, max: 32 });
  await pool.query('CREATE TABLE bare (id uuid PRIMARY KEY, body bytea NOT NULL)');
  const server = createServer(async (request, response) => {
    const values = [randomUUID(), await buffer(request)];
    await pool.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2)', values });
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"stored":true}');
  });
  return urlOf(server);
});
