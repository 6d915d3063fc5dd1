import { visibleText } from '@screen-advertising/core/platform';
import { InvalidArgumentError } from 'commander';
import type { EventRecord } from '../../base/contract.ts';
import { makeSigningSecret } from '../../base/secrets.ts';
import type { Forwarded } from '../../operate/event-stream.ts';
import { formatJson } from './format-result.ts';
import { ofSource } from './record-commands.ts';
import type { Add, Tools, WithRelay } from './with-relay.ts';

interface Filter {
  readonly type?: string;
  readonly source?: string;
}

const ofType = ['--type <type>', 'type of the events'] as const;

/** Commands that show what happens until they are stopped. */
export function addFollowCommands(add: Add, using: WithRelay): void {
  add('events tail', 'Prints events as they arrive, until Ctrl-C')
    .option(...ofType)
    .option(...ofSource)
    .action(
      using(async (tools, filter: Filter) => {
        const { relay, stop: signal, writeError } = tools;
        const onReady = () => writeError('Waiting for events. Stop with Ctrl-C.\n');
        for await (const event of relay.stream.tail({ ...filter, signal, onReady })) {
          print(tools, event, eventLine(event));
        }
      }),
    );
  add('listen', 'Sends events as they arrive to a program on this machine, --forward-to')
    .requiredOption(
      '--forward-to <url>',
      'address of your program, such as http://localhost:3000/webhook',
      readUrl,
    )
    .option(...ofType)
    .option(...ofSource)
    .action(
      using(async (tools, { forwardTo: url, ...filter }: Filter & { readonly forwardTo: URL }) => {
        const { relay, stop: signal, writeError } = tools;
        const signingSecret = makeSigningSecret();
        const onReady = () =>
          writeError(
            `Forwarding events to ${url.origin}${url.pathname} until Ctrl-C. They are signed with:\n${signingSecret}\n`,
          );
        const forwarded = relay.stream.forward({ ...filter, url, signingSecret, signal, onReady });
        for await (const result of forwarded) print(tools, result, forwardedLine(result));
      }),
    );
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError(
    'Give the URL of your program, such as http://localhost:3000/webhook.',
  );
}

/** One line, also as JSON, so that other programs can read them one by one. */
function print({ isJson, write }: Tools, record: object, line: string): void {
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
