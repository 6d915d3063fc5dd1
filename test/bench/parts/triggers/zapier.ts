import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asRawRequest } from '../../../zapier/app/raw-request.ts';
import { createZapierRunner, type RawRequest } from '../../../zapier/app/runner.ts';
import { subscriber, type } from './subscriber.ts';

/** A Zap that is on. It counts as started when the handler has returned the event. */
subscriber(async (setup, started) => {
  const isRelayed = 'connectorKey' in setup;
  const runner = createZapierRunner({
    baseUrl: 'https://service.example/api/v1',
    credentials: { apiKey: 'svc_key' },
    fields: isRelayed
      ? { relay_base_url: setup.relayUrl, connector_key: setup.connectorKey }
      : { signing_secret: setup.signingSecret },
  });
  const key = `${type.replaceAll('.', '_')}${isRelayed ? '' : '_manual_setup'}`;
  const start = async (rawRequest: RawRequest): Promise<void> => {
    for (const event of await runner.hook(key, rawRequest)) started(event);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // Zapier responds before the app sees the delivery.
    response.end();
    await start(asRawRequest(request.headers, Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
