import { visibleText } from '@screen-advertising/core/platform';
import type { EventRecord } from '../../log/contract-types.ts';
import { makeSigningSecret } from '../../log/secrets/new-token.ts';
import type { Forwarded } from '../../operate/event-stream.ts';
import { type Commands, type CommandTools, command } from './command.ts';
import { formatJson } from './format-result.ts';

/** Commands that show what happens until they are stopped. */
export const followCommands: Commands = {
  'events tail': command({
    does: 'Prints events as they arrive, until Ctrl-C',
    options: ['type', 'source'],
    async run({ stream }, _args, filter, tools) {
      const { stop: signal, writeError } = tools;
      const onReady = () => writeError('Waiting for events. Stop with Ctrl-C.\n');
      for await (const event of stream.tail({ ...filter, signal, onReady })) {
        print(tools, event, eventLine(event));
      }
    },
  }),
  listen: command({
    does: 'Sends events as they arrive to a program on this machine, --forward-to',
    options: ['forwardTo', 'type', 'source'],
    async run({ stream }, _args, { forwardTo: url, ...filter }, tools) {
      const { stop: signal, writeError } = tools;
      const signingSecret = makeSigningSecret();
      const onReady = () =>
        writeError(
          `Forwarding events to ${url.origin}${url.pathname} until Ctrl-C. They are signed with:\n${signingSecret}\n`,
        );
      const forwarded = stream.forward({ ...filter, url, signingSecret, signal, onReady });
      for await (const result of forwarded) print(tools, result, forwardedLine(result));
    },
  }),
};

/** One line, also as JSON, so that other programs can read them one by one. */
function print({ isJson, write }: CommandTools, record: object, line: string): void {
  write(`${isJson ? formatJson(record) : line}\n`);
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
