import { Hono } from 'hono';
import type { FaultRule } from '../faults/fault-rule.ts';
import type { ExchangeEnv } from '../http/exchange.ts';
import { readJsonObject } from '../http/json-body.ts';
import { Refusal } from '../http/refusal.ts';
import type { Sandbox } from '../sandbox.ts';

/** `GET`, `POST` and `DELETE /faults`, `DELETE /faults/{id}`. */
export function faultRoutes({ faults }: Sandbox): Hono<ExchangeEnv> {
  const app = new Hono<ExchangeEnv>();
  app.get('/', (c) => c.json({ data: faults.list() }));
  // Adding checks the rule, wherever it comes from.
  app.post('/', (c) =>
    c.json(faults.add(readJsonObject(c.env.exchange) as unknown as FaultRule), 201),
  );
  app.delete('/', (c) => {
    faults.clear();
    return c.body(null, 204);
  });
  app.delete('/:id', (c) => {
    const id = c.req.param('id');
    if (faults.remove(id)) return c.body(null, 204);
    throw new Refusal(404, 'not-found', `There is no fault rule ${id}.`);
  });
  return app;
}
