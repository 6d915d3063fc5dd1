import { pino } from 'pino';
import type { Observer } from './observer.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Log levels with the same names as in pino. */
export type Log = {
  readonly [Level in 'debug' | 'info' | 'warn' | 'error']: (fields: object, text: string) => void;
};

/** The last safety net: no log line should contain a secret, but a message from elsewhere might. */
const secrets = /\b(?:adm|rly|whsec)_[\w+/=.-]+|(?<=:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g;

/** Writes one JSON object per line. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: shown },
    },
    { write: (line) => write(line.replace(secrets, '[hidden]')) },
  );
}

/** Other properties of an error may contain sensitive input, such as a connection string. */
function shown(error: unknown): object {
  const { name, message, code, stack, cause } = error as Partial<NodeJS.ErrnoException>;
  return {
    type: name,
    message: message ?? String(error),
    ...(code !== undefined && { code }),
    stack,
    ...(cause !== undefined && { cause: shown(cause) }),
  };
}

/** What operators want to know (info), and what only helps to find a fault (debug). */
export function logObserver(log: Log): Observer {
  return {
    ingested({ result, durationMs }) {
      const isExpected = result === 'stored' || result === 'duplicate';
      log[isExpected ? 'debug' : 'warn'](
        { result, duration_ms: Math.round(durationMs) },
        isExpected ? 'Event received' : 'Event rejected',
      );
    },
    attempted({ durationMs, ...attempt }) {
      const fields = { ...attempt, duration_ms: durationMs };
      if (attempt.state === 'delivered') log.debug(fields, 'Delivered');
      else if (attempt.state === 'dead') log.warn(fields, 'Delivery is dead');
      else log.info(fields, 'Attempt failed');
    },
    failed: (error) => log.error({ err: error }, (error as Error).message ?? 'Failed'),
  };
}
