import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox } from '@screen-advertising/sandbox';

/** Opens everything a sandbox can open, closes it, and exits when nothing is left to wait for. */
const receiver = createServer((_request, response) => response.writeHead(500).end());
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));

const sandbox = createSandbox();
const { baseUrl } = await sandbox.listen();
const [{ apiKey }] = sandbox.accesses;
const headers = { authorization: `Bearer ${apiKey}` };
const { port } = receiver.address() as AddressInfo;
sandbox.webhooks.add({ url: `http://127.0.0.1:${port}/` });

for (let round = 0; round < 20; round += 1) {
  await Promise.all(
    Array.from({ length: 10 }, async () => (await fetch(`${baseUrl}/screens`, { headers })).text()),
  );
  await sandbox.fire('campaign.paid');
}
sandbox.faults.add({ fault: 'slow-body', ms: 60_000 });
const slow = await fetch(`${baseUrl}/screens`, { headers });
const cut = slow.text().catch(() => 'cut');

await sandbox.close();
await cut;
await new Promise((resolve) => receiver.close(resolve));
// A server's handle disappears a few ticks after it has closed.
for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
const waitingFor = process.getActiveResourcesInfo().filter((one) => /^(TCP|Timeout)/.test(one));
process.stdout.write(`${JSON.stringify({ waitingFor })}\n`);
