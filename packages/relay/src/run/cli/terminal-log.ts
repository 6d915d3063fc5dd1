import { visibleText } from '@screen-advertising/core/platform';
import { shownName } from '../../operate/page/parts/values.ts';

/** Of a line of the log; which ones depends on what happened. */
interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly result?: string;
  readonly source?: string;
  readonly type?: string;
  readonly to?: string;
  readonly attempt?: number;
  readonly status?: number | null;
  readonly error?: string | null;
  readonly reason?: string | null;
  readonly duration_ms?: number;
  readonly url?: string;
}

/** A line of the log as a person reads it on a terminal: what happened, to which event, and where. */
export function terminalLine(json: string): string {
  const line: Line = JSON.parse(json);
  const { level, time, msg, type, to, url } = line;
  const words = [
    inColumn(`${['warn', 'error'].includes(level) ? `${level}: ` : ''}${msg}`, 22),
    type && inColumn(type, 24),
    to && `to ${shownName(to)}`,
    outcomeOf(line),
    url,
  ];
  return `${time.slice(11, 19)}  ${words.filter(Boolean).join('  ').trimEnd()}\n`;
}

function inColumn(text: string, width: number): string {
  return visibleText(text).padEnd(width);
}

function outcomeOf(line: Line): string | undefined {
  const { result, source, attempt, status, error, reason, duration_ms: ms } = line;
  if (result !== undefined)
    return `${source === undefined ? '' : `at ${source}: `}${result}, ${ms} ms`;
  if (attempt === undefined) return undefined;
  const response = error ?? (reason === null ? status : `${status}, ${reason}`);
  return `${visibleText(String(response))}, ${ms} ms${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}
