import { afterEach, expect, jest } from '@jest/globals';
import publicApp from 'zapier-screen-advertising/public';
import { type Running, start } from '../../relay/support/running-relay.ts';
import { createZapierRunner, type RunnerOptions, type ZapierRunner } from './runner.ts';

export interface Relayed extends Running {
  readonly zapier: ZapierRunner;
}

afterEach(() => {
  jest.restoreAllMocks();
});

/**
 * A relay, and a connection of the public variant to it. During the test, Zapier reads the time
 * from the relay's clock, which the test moves.
 */
export async function startRelayed(options: Partial<RunnerOptions> = {}): Promise<Relayed> {
  const running = await start();
  jest.spyOn(Date, 'now').mockImplementation(() => running.relay.clock.now());
  const zapier = createZapierRunner({
    baseUrl: 'https://service.example/api/v1',
    credentials: { apiKey: 'svc_abc' },
    app: publicApp,
    fields: { relay_base_url: running.url, connector_key: running.key.connectorKey },
    ...options,
  });
  return { ...running, zapier };
}

/** The service delivers an event to the relay, which delivers it to all who subscribed. */
export async function happen({ deliver, relay }: Relayed, event: unknown): Promise<void> {
  expect((await deliver(event)).status).toBe(202);
  await relay.clock.advance(0);
}
