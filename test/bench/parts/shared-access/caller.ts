import { apiKey, createClient } from '@screen-advertising/core';
import { undiciTransport } from '@screen-advertising/core/undici';
import { respondToParent } from '../../lib/worker.ts';
import type { Service } from './service.ts';

export interface Task {
  readonly service: Service;
  readonly calls: number;
}

export interface Outcome {
  readonly sent: number;
  readonly refused: number;
  readonly lost: number;
}

/** One of the processes: all of its calls at once, as a program would that leaves the limit to the client. */
respondToParent(async ({ service, calls }: Task): Promise<Outcome> => {
  const transport = undiciTransport();
  let sent = 0;
  let refused = 0;
  const client = createClient({
    baseUrl: service.baseUrl,
    auth: apiKey(service.apiKey),
    transport: {
      clock: transport.clock,
      async send(request) {
        sent += 1;
        const response = await transport.send(request);
        if (response.status === 429) refused += 1;
        return response;
      },
    },
  });
  const emails = Array.from({ length: calls }, (_, nth) => `lead-${nth}@example.com`);
  const ends = await Promise.allSettled(emails.map((email) => client.users.lookup({ email })));
  await transport.close();
  return { sent, refused, lost: ends.filter(({ status }) => status === 'rejected').length };
});
