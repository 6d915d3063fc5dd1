import { apiKey, createClient, operations } from '@screen-advertising/core';
import { findNearbyScreens } from '@screen-advertising/core/availability';
import { undiciTransport } from '@screen-advertising/core/undici';
import { respondToParent } from '../../lib/worker.ts';

export interface ReadTask {
  readonly port: number;
  readonly isNear: boolean;
}

export interface ReadResult {
  readonly screens: number;
  readonly requests: number;
  readonly cpuMs: number;
}

/** Reads all screens into an array, either in their order or by their distance. */
respondToParent(async ({ port, isNear }: ReadTask): Promise<ReadResult> => {
  let requests = 0;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    auth: apiKey('svc_key_of_the_benchmark'),
    transport: undiciTransport(),
    rateLimit: { requests: 100_000, perMs: 1000 },
    onAttempt: () => {
      requests += 1;
    },
  });
  globalThis.gc?.();
  const start = process.cpuUsage();
  const found: unknown[] = [];
  if (isNear) {
    const { screens } = await findNearbyScreens(client, { near: '52.5, 13.4', radius_km: 20_000 });
    found.push(...screens);
  } else {
    for await (const screen of client.items(operations['screen.list'])) found.push(screen);
  }
  const { user, system } = process.cpuUsage(start);
  return { screens: found.length, requests, cpuMs: (user + system) / 1000 };
});
