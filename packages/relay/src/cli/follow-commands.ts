import { randomBytes } from 'node:crypto';
import { visibleText } from '@screen-advertising/core/platform';
import type { Forwarded } from '../admin/forward-events.ts';
import type { EventRecord } from '../records/stored-events.ts';
import { type Command, type CommandTools, command, UsageError } from './command.ts';

/** Commands that show what happens until they are stopped. */
export const followCommands: Readonly<Record<string, Command>> = {
  'events tail': command({
    does: 'Prints events as they arrive, until Ctrl-C [--type --source]',
    takes: [],
    options: ['type', 'source'],
    async run({ stream }, _args, filter, tools) {
      const { stop: signal, writeError } = tools;
      const onReady = () => writeError('Waiting for events. Stop with Ctrl-C.\n');
      for await (const event of stream.tail({ ...filter, signal, onReady })) {
        print(tools, event, eventLine(event));
      }
    },
  }),
  'listen --forward-to URL': command({
    does: 'Sends events to a program on this machine as they arrive [--type --source]',
    takes: [],
    options: ['forward-to', 'type', 'source'],
    async run({ stream }, _args, { 'forward-to': to, ...filter }, tools) {
      const url = addressOf(to);
      const { stop: signal, writeError } = tools;
      const signingSecret = `whsec_${randomBytes(32).toString('base64')}`;
      const onReady = () =>
        writeError(
          `Forwarding events to ${url.href} until Ctrl-C. They are signed with:\n${signingSecret}\n`,
        );
      const forwarded = stream.forward({ ...filter, url, signingSecret, signal, onReady });
      for await (const result of forwarded) print(tools, result, forwardedLine(result));
    },
  }),
};

function addressOf(text: string | undefined): URL {
  const url = text === undefined ? null : URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(
    'Give --forward-to with the URL of your program, such as http://localhost:3000/webhook.',
  );
}

/** One line, also as JSON, so that other programs can read them one by one. */
function print({ isJson, write }: CommandTools, record: object, line: string): void {
  write(`${isJson ? JSON.stringify(record) : line}\n`);
}

function eventLine({ received_at, type, id, payload }: EventRecord): string {
  const own = (payload as { readonly id?: unknown }).id;
  const ids =
    typeof own === 'string' || typeof own === 'number' ? `${visibleText(String(own))}  ${id}` : id;
  return `${received_at}  ${visibleText(type).padEnd(24)}  ${ids}`;
}

function forwardedLine({ received_at, type, id, status, error, duration_ms }: Forwarded): string {
  const response = status === null ? `no response: ${error}` : `${status} in ${duration_ms} ms`;
  return `${received_at}  ${visibleText(type).padEnd(24)}  ${id}  ${response}`;
}
