import { inspect } from 'node:util';
import { jest } from '@jest/globals';
import { createZapierRunner, type ZapierRunner } from '../../../zapier/app/runner.ts';
import { readZapierError } from '../../../zapier/app/zapier-error.ts';
import { isRight, type Played, type Player } from '../describe-service.ts';
import type { Failure } from '../rules/failures.ts';
import type { ServiceCell } from '../service-cell.ts';
import type { ServiceWorld } from '../service-world.ts';

/** The app on zapier-platform-core, on a connection that already has its session. */
export function zapierPlayer(): Player {
  return {
    platform: 'zapier',
    // Reads are retried after a random wait, which is kept short here.
    open: async () => jest.spyOn(Math, 'random').mockReturnValue(0.01),
    close: async () => jest.restoreAllMocks(),
    words: zapierWords,
    async play(world, cell) {
      const runner = await runnerOf(world, cell);
      return played(cell.task.zapier(runner), cell);
    },
  };
}

async function runnerOf(world: ServiceWorld, cell: ServiceCell): Promise<ZapierRunner> {
  const { baseUrl, access } = world;
  if (cell.credentials === 'API key') {
    return createZapierRunner({ baseUrl, credentials: { apiKey: access.apiKey } });
  }
  // For faults of the token endpoint the session has just ended, so that another one is started.
  const isEnded = cell.target === 'token';
  return createZapierRunner({
    baseUrl,
    credentials: { clientId: access.clientId, clientSecret: access.clientSecret },
    fields: {
      access_token: isEnded ? 'ended' : await world.accessToken(),
      renew_at: new Date(isEnded ? 0 : Date.UTC(2100, 0)).toISOString(),
    },
  });
}

async function played(work: Promise<unknown>, cell: ServiceCell): Promise<Played> {
  try {
    const found = await work;
    if (Array.isArray(found) && found.length === 0) return { ends: 'nothing', shown: '' };
    if (isRight(found, cell.task.right)) return { ends: 'answer', shown: '' };
    return { ends: `a wrong answer: ${JSON.stringify(found)}`, shown: '' };
  } catch (error) {
    const { name, code, status, delay } = readZapierError(error);
    const shown = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`;
    const words = [name, code, status, delay && `after ${delay} s`];
    return { ends: words.filter(Boolean).join(' '), shown };
  }
}

/** Zapier's error for each failure: what it does with the Zap hangs on the class. */
function zapierWords(failure: Failure, cell: ServiceCell): string {
  const { code, status, hasProblem, retryAfter, isRetryable } = failure;
  const { task, target } = cell;
  if (code === 'outcome_unknown' && !isRetryable) return 'HaltedError';
  if (code === 'rate_limited' || retryAfter) {
    return retryAfter ? `ThrottledError after ${retryAfter} s` : 'ThrottledError';
  }
  const isRevoked = task.change === 'a revocation' && code === 'invalid_request';
  const isOfTask = target === 'task';
  if (code === 'conflict' || (isRevoked && isOfTask)) return 'HaltedError';
  if (code === 'authentication_failed') return 'ExpiredAuthError';
  const isLookUp = task.change === 'nothing' && task.answer === 'record';
  if (
    code === 'not_found' &&
    hasProblem &&
    isLookUp &&
    isOfTask &&
    task.name !== 'look up a user'
  ) {
    return 'nothing';
  }
  // Zapier keeps the body of a 401 to itself, and the core all but the detail of a token request.
  const isNamed = hasProblem && isOfTask && status !== 401 && code !== 'outcome_unknown';
  return ['AppError', isNamed ? 'about:blank' : code, status].filter(Boolean).join(' ');
}
