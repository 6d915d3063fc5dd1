import { escapeInvisible } from '@screen-advertising/core/platform';
import { type RelayOperation, relayContract } from '@screen-advertising/core/relay-contract';
import { InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import type { EventRecord, OperationId } from '../../base/contract.ts';
import { makeSigningSecret, type NewToken } from '../../base/secrets.ts';
import type { ForwardedEvent } from '../../operate/event-stream.ts';
import { type AddCommand, type CommandTools, formatJson, type RelayAction } from './with-relay.ts';

/**
 * Commands about sources, tokens, secrets and the whole database. Secrets are read from standard
 * input: other users of the machine can see command lines.
 */
export function addCommands(add: AddCommand, using: RelayAction): void {
  add(
    'sign-in',
    "Prints a link to the operator's page that signs in once, within 15 minutes",
  ).action(using(async ({ relay, relayUrl }) => ({ link: await relay.signInLink(relayUrl) })));
  addSourceCommands(add, using);
  addTokenCommands(add, using);
  add('secrets renew', 'Re-encrypts every secret with the first key in RELAY_SECRET_KEY').action(
    using(async ({ relay }) => ({ renewed: await relay.renewSecrets() })),
  );
  const reset = 'After losing the key: replaces secrets that it cannot decrypt; lists whose';
  const afterReset =
    'Run `sources rotate` for each source, with its signing secret, and `tokens rotate` for each token, whose new key goes into its connector.';
  add('secrets reset', reset).action(
    using(async ({ relay }) => ({ ...(await relay.resetSecrets()), next: afterReset }), {
      isForLostKey: true,
    }),
  );
  const afterCopy =
    'Start the relay with this DATABASE_URL and the same key: RELAY_SECRET_KEY, or secret.key in RELAY_DATA_DIR.';
  add('copy', 'Copies everything to another, empty database; secrets stay encrypted')
    .requiredOption(
      '--to <url>',
      'empty PostgreSQL database, such as postgres://relay:PASSWORD@db.example.com/relay',
    )
    .action(
      using(async ({ relay }, { to }: { readonly to: string }) => ({
        ...(await relay.copy(to)),
        next: afterCopy,
      })),
    );
  add(
    'prune',
    'Deletes events older than --older-than, with their deliveries; subscriptions that are off go after RELAY_RETENTION_DAYS, those off by hand never',
  )
    .requiredOption('--older-than <age>', 'age in days or hours, such as 30d or 12h', readAge)
    .action(
      using(({ relay }, { olderThan }: { readonly olderThan: number }) => relay.prune(olderThan)),
    );
}

function addSourceCommands(add: AddCommand, using: RelayAction): void {
  add('sources add', 'Adds a source; reads its signing secret from standard input')
    .argument('NAME')
    .action(
      using(
        async ({ relay, readSecret }, name: string) => relay.sources.add(name, await readSecret()),
        { isForNewFolder: true },
      ),
    );
  add('sources list', 'Lists sources').action(using(({ relay }) => relay.sources.list()));
  add('sources rotate', 'Reads a new secret from standard input; the one in use works 7 more days')
    .argument('NAME')
    .action(
      using(async ({ relay, readSecret }, name: string) => {
        const { changed, ...rest } = await relay.sources.rotate(name, await readSecret());
        return { name, rotated: changed, ...rest };
      }),
    );
  add('sources remove', 'Removes a source that has no active tokens and no events any more')
    .argument('NAME')
    .action(
      using(async ({ relay }, name: string) => {
        await relay.sources.remove(name);
        return { name, removed: true };
      }),
    );
  add('sources refused', 'Lists the latest deliveries it refused, and why; never a body or secret')
    .argument('NAME')
    .action(using(({ relay }, name: string) => relay.sources.refused(name)));
}

function addTokenCommands(add: AddCommand, using: RelayAction): void {
  add('tokens create', 'Creates a token; shows it once, with its signing secret and connector key')
    .argument('SOURCE')
    .argument('NAME')
    .option('--rights <rights>', 'subscribe (default), read or manage; several with commas')
    .action(
      using(async ({ relay }, source: string, name: string, { rights }: { rights?: string }) =>
        shown(await relay.tokens.create(source, name, rights?.split(/[ ,]+/))),
      ),
    );
  add('tokens list', 'Lists tokens').action(using(({ relay }) => relay.tokens.list()));
  add('tokens revoke', 'Revokes a token and switches off its subscriptions')
    .argument('SOURCE')
    .argument('NAME')
    .action(
      using(async ({ relay }, source: string, name: string) => {
        await relay.tokens.revoke(source, name);
        return { name, revoked: true };
      }),
    );
  add('tokens rotate', 'Replaces a token and its secret; the previous ones work for a day')
    .argument('SOURCE')
    .argument('NAME')
    .option('--now', 'end the previous ones at once, such as after a leak')
    .action(
      using(async ({ relay }, source: string, name: string, options: { now?: boolean }) =>
        shown(await relay.tokens.rotate(source, name, options)),
      ),
    );
}

function shown({ token, signingSecret, connectorKey }: NewToken) {
  return { token, signing_secret: signingSecret, connector_key: connectorKey };
}

const msOf: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000 };

function readAge(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  const ms = msOf[unit];
  if (ms !== undefined) return Number(digits) * ms;
  throw new InvalidArgumentError('Give days or hours, such as 30d or 12h.');
}

type Said = NonNullable<RelayOperation['commands']>[number];

const ofSource = ['--source <name>', 'name of a source (default: all)'] as const;

/** Commands that list and change subscriptions, events and deliveries, from the relay's contract. */
export function addRecordCommands(add: AddCommand, using: RelayAction): void {
  for (const operation of Object.values<RelayOperation>(relayContract)) {
    for (const said of operation.commands ?? []) addCommand(add, using, operation, said);
  }
}

function addCommand(
  add: AddCommand,
  using: RelayAction,
  operation: RelayOperation,
  said: Said,
): void {
  const byId = operation.path.includes('{id}') ? (['ID', 'id'] as const) : undefined;
  const [argument, field] = byId ?? said.takes ?? [];
  const inputs = (said.options ?? []).map((name) => {
    return { name, option: optionOf(operation, name, said) };
  });
  const command = add(said.words, said.does);
  if (argument !== undefined) command.argument(argument);
  for (const { option } of inputs) command.addOption(option);
  command.option(...ofSource).action(
    using(({ relay }) => {
      const texts = command.opts();
      const ofOptions = inputs.map(({ name, option }) => [name, texts[option.attributeName()]]);
      return relay.operate(
        operation.id as OperationId,
        {
          ...Object.fromEntries(ofOptions),
          ...(field && { [field]: command.args[0] }),
          ...said.fixed,
          source: texts.source,
        } as never,
      );
    }),
  );
}

/** The option for an input, such as `--max-concurrency <count>`. */
function optionOf({ input, fields = {} }: RelayOperation, name: string, said: Said): Option {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
  const property = properties[name];
  const { type, description } = typeof property === 'object' ? property : {};
  const flag = `--${name.replace(/_id$/, '').replaceAll('_', '-')}`;
  const text = fields[name] ?? description ?? '';
  const option = (value: string) => new Option(`${flag}${value}`, text);
  if (type === 'boolean') return option('');
  if (type === 'array') return option(' <list>').argParser(readList);
  if (type === 'integer') {
    return option(' <count>')
      .argParser(Number)
      .makeOptionMandatory(said.requires === name);
  }
  return option(' <text>');
}

function readList(text: string): string[] {
  return text.split(/[ ,]+/).filter((one) => one !== '');
}

interface Filter {
  readonly type?: string;
  readonly source?: string;
}

const ofType = ['--type <type>', 'type of the events'] as const;

/** Commands that show what happens until they are stopped. */
export function addFollowCommands(add: AddCommand, using: RelayAction): void {
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
function print({ isJson, write }: CommandTools, record: object, line: string): void {
  write(`${isJson ? formatJson(record) : line}\n`);
}

function eventLine({ received_at, type, id, payload }: EventRecord): string {
  const own = (payload as { readonly id?: unknown }).id;
  const ids =
    typeof own === 'string' || typeof own === 'number'
      ? `${escapeInvisible(String(own))}  ${id}`
      : id;
  return `${received_at}  ${escapeInvisible(type).padEnd(24)}  ${ids}`;
}

function forwardedLine({
  received_at,
  type,
  id,
  status,
  error,
  duration_ms,
}: ForwardedEvent): string {
  const response = status === null ? `no response: ${error}` : `${status} in ${duration_ms} ms`;
  return `${received_at}  ${escapeInvisible(type).padEnd(24)}  ${id}  ${response}`;
}
