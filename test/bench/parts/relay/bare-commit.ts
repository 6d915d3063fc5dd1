import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

export function insertBare(pool: Pool, body: Uint8Array): Promise<unknown> {
  const values = [randomUUID(), body];
  return pool.query({ name: 'bare', text: 'INSERT INTO bare VALUES ($1, $2)', values });
}
