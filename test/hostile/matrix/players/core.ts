import { inspect } from 'node:util';
import {
  apiKey,
  type Client,
  clientCredentials,
  createClient,
  ScreenAdvertisingError,
  type Transport,
} from '@screen-advertising/core';
import { coreMessages, isRight, type Played, type Player } from '../describe-service.ts';
import type { Platform } from '../fault.ts';
import type { ServiceCell } from '../service-cell.ts';
import type { ServiceWorld } from '../service-world.ts';

const tryMs = 60_000;

/** A program with the client of the core, over real sockets. */
export function corePlayer(
  platform: Platform,
  transport: Transport & { close?(): Promise<void> },
): Player {
  const clients = new WeakMap<ServiceCell, Client>();
  return {
    platform,
    words: coreMessages,
    close: async () => transport.close?.(),
    play(world, cell) {
      const client = clientOf(world, cell, transport);
      clients.set(cell, client);
      return played(cell.task.core(client), cell);
    },
    playAgain(_world, cell) {
      const client = clients.get(cell);
      if (!client) throw new Error('This cell was not played yet.');
      return played(client.screens.get({ screenId: 'scr_hostile' }), undefined);
    },
  };
}

function clientOf(world: ServiceWorld, { credentials }: ServiceCell, transport: Transport): Client {
  const { baseUrl, access, clock } = world;
  const { apiKey: key, clientId, clientSecret } = access;
  return createClient({
    baseUrl,
    auth: credentials === 'API key' ? apiKey(key) : clientCredentials({ clientId, clientSecret }),
    // A separate clock for each client, so it shares nothing with the previous cell.
    transport: { clock: { ...clock }, send: (request) => transport.send(request) },
    timeoutMs: tryMs,
  });
}

async function played(work: Promise<unknown>, cell: ServiceCell | undefined): Promise<Played> {
  try {
    const value = await work;
    if (!cell) return { ends: 'answer', shown: '' };
    const found = cell.task.answer === 'record' ? value : (value as { data: unknown }).data;
    const isIt = isRight(found, cell.task.right);
    return { ends: isIt ? 'answer' : `a wrong answer: ${JSON.stringify(found)}`, shown: '' };
  } catch (error) {
    if (!ScreenAdvertisingError.isInstance(error)) {
      return { ends: `an untyped error: ${error}`, shown: inspect(error) };
    }
    const { code, status, retryAfter, isRetryable } = error;
    const failure = {
      code,
      isRetryable,
      ...(status !== undefined && { status }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
    const shown = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`;
    return { ends: coreMessages(failure), shown, message: error.message };
  }
}
