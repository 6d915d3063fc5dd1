import { safeOutsideText } from '@screen-advertising/core/platform';
import { pino } from 'pino';
import type { Observer } from '../log/context.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Log levels with the same names as in pino. */
export type Log = {
  readonly [Level in 'debug' | 'info' | 'warn' | 'error']: (fields: object, text: string) => void;
};

/** The last safety net: no log line should contain a secret. */
const shapes = /\b(?:adm|rly|whsec)_[\w+/=.-]+|(?<=:\/\/[^\s:/@]*:)[^\s@/]+(?=@)/g;

const maxMessage = 1_000;

/** Writes one JSON object per line. The secrets of this process are in none of them. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void,
  secrets: readonly string[] = [],
): Log {
  // Messages of errors may quote another server, or what it was sent.
  const said = (text: string) => safeOutsideText(text, { secrets, maxLength: maxMessage });
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error) => shown(error, said) },
      hooks: {
        logMethod([fields, text], log) {
          log.call(this, fields, said(String(text)));
        },
      },
    },
    { write: (line) => write(line.replace(shapes, '[redacted]')) },
  );
}

/** Other properties of an error may contain sensitive input, such as a connection string. */
function shown(error: unknown, said: (text: string) => string): object {
  const { name, message, code, stack, cause } = error as Partial<NodeJS.ErrnoException>;
  return {
    type: name,
    message: said(message ?? String(error)),
    ...(code !== undefined && { code }),
    // Its first lines quote the message.
    stack: stack?.match(frame)?.join('\n'),
    ...(cause !== undefined && { cause: shown(cause, said) }),
  };
}

const frame = /^ {4}at .*$/gm;

/** Differences that people notice when they compare the log with other machines' logs. */
const clockToleranceMs = 60_000;

/** Logs what operators want to know as info, and what only helps to find a fault as debug. */
export function logObserver(log: Log): Observer {
  let isClockWrong = false;
  return {
    ingested({ result, durationMs, source, type }) {
      const isExpected = result === 'stored' || result === 'duplicate';
      log[isExpected ? 'debug' : 'warn'](
        { result, source, type, duration_ms: Math.round(durationMs) },
        isExpected ? 'Event received' : 'Event rejected',
      );
    },
    attempted({ durationMs, ...attempt }) {
      const fields = { ...attempt, duration_ms: durationMs };
      if (attempt.state === 'delivered') log.debug(fields, 'Delivered');
      else if (attempt.state === 'ignored') log.info(fields, 'Ignored by the target');
      else if (attempt.state === 'dead') log.warn(fields, 'Delivery is dead');
      else log.info(fields, 'Attempt failed');
    },
    signedAnew({ source, from, to }) {
      if (from === undefined)
        log.info({ source, to }, 'The service signs the deliveries of a source');
      else
        log.warn({ source, from, to }, 'The service signs the deliveries of a source in a new way');
    },
    clockRead(aheadMs) {
      const wasWrong = isClockWrong;
      isClockWrong = Math.abs(aheadMs) > clockToleranceMs;
      if (!isClockWrong || wasWrong) return;
      const seconds = Math.round(Math.abs(aheadMs) / 1000);
      log.warn(
        { offset_s: Math.round(aheadMs / 1000) },
        `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's. The relay uses the database's clock. Check which one is wrong, and set it.`,
      );
    },
    failed: (error) => log.error({ err: error }, (error as Error).message ?? 'Failed'),
  };
}
