/**
 * Prints which functions of the product create a coupon, from the parameters of a platform to the
 * wire and back. The service is a stub: the sandbox would run parts of the core in this process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Engine } from '../../n8n/engine/engine.ts';
import { createZapierRunner } from '../../zapier/app/runner.ts';
import { executedBy } from './executed.ts';

const coupon = { discount_type: 'percent', discount_value: 25, lead_email: 'lead@example.com' };

const service = createServer((_request, response) => {
  response.writeHead(201, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data: { ...coupon, code: 'BVCC-0001' } }));
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
const { port } = service.address() as AddressInfo;
const baseUrl = `http://127.0.0.1:${port}/api/v1`;
const apiKey = 'svc_0123456789abcdef';

const engine = await Engine.start({ screenAdvertisingApi: { baseUrl, apiKey } });
const zapier = createZapierRunner({ baseUrl, credentials: { apiKey } });

const calls: Record<string, () => Promise<unknown>> = {
  async n8n() {
    const parameters = { authentication: 'apiKey', resource: 'coupon', operation: 'create' };
    const { error } = await engine.runNode({
      type: 'screenAdvertising',
      parameters: { ...parameters, ...coupon },
    });
    if (error) throw error;
  },
  zapier: () => zapier.create('create_coupon', coupon),
};

for (const [platform, call] of Object.entries(calls)) {
  const executed = await executedBy(call);
  process.stdout.write(`${JSON.stringify({ platform, executed })}\n`);
}
service.closeAllConnections();
service.close();
