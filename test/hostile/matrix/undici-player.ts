import { inspect } from 'node:util';
import {
  apiKey,
  type Client,
  clientCredentials,
  createClient,
  ScreenAdvertisingError,
} from '@screen-advertising/core';
import { type UndiciTransport, undiciTransport } from '@screen-advertising/core/undici';
import type { Cell } from './cell.ts';
import { coreMessages, isRight, type Played, type Player } from './player.ts';
import type { World } from './world.ts';

const tryMs = 60_000;

/** A program with the client of the core, over real sockets. */
export function undiciPlayer(): Player {
  const transport = undiciTransport();
  const clients = new WeakMap<Cell, Client>();
  return {
    platform: 'undici',
    words: coreMessages,
    close: () => transport.close(),
    play(world, cell) {
      const client = clientOf(world, cell, transport);
      clients.set(cell, client);
      return played(cell.task.undici(client), cell);
    },
    playAgain(_world, cell) {
      const client = clients.get(cell);
      if (!client) throw new Error('This cell was not played yet.');
      return played(client.screens.get({ screenId: 'scr_hostile' }), undefined);
    },
  };
}

function clientOf(world: World, { credentials }: Cell, transport: UndiciTransport): Client {
  const { baseUrl, access, clock } = world;
  return createClient({
    baseUrl,
    auth: credentials === 'API key' ? apiKey(access.apiKey) : clientCredentials(access),
    // A separate clock for each client, so it shares nothing with the previous cell.
    transport: { clock: { ...clock }, send: (request) => transport.send(request) },
    timeoutMs: tryMs,
  });
}

async function played(work: Promise<unknown>, cell: Cell | undefined): Promise<Played> {
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
    return { ends: coreMessages(failure), shown };
  }
}
