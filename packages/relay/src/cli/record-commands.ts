import { type Command, command, UsageError } from './command.ts';
import { parsePositionals } from './parse-arguments.ts';

const units: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000 };

const eventOptions = ['type', 'from', 'to', 'source', 'limit', 'cursor'] as const;

/** Commands that list and change subscriptions, events and deliveries. */
export const recordCommands: Readonly<Record<string, Command>> = {
  'subscriptions list': command({
    does: 'Lists subscriptions, newest first [--source --limit --cursor]',
    takes: [],
    options: ['source', 'limit', 'cursor'],
    run: ({ subscriptions }, _args, options) => subscriptions.list(typed(options)),
  }),
  'subscriptions off ID': command({
    does: 'Switches off a subscription; pending deliveries become dead [--source]',
    takes: ['ID'],
    options: ['source'],
    run: ({ subscriptions }, [id], options) => subscriptions.off(id, options),
  }),
  'subscriptions on ID': command({
    does: 'Switches it on again; then replay its dead deliveries [--source]',
    takes: ['ID'],
    options: ['source'],
    run: ({ subscriptions }, [id], options) => subscriptions.on(id, options),
  }),
  'subscriptions recover ID': command({
    does: 'Switches it on; delivers what died and what it missed [--source]',
    takes: ['ID'],
    options: ['source'],
    run: ({ subscriptions }, [id], options) => subscriptions.recover(id, options),
  }),
  'subscriptions replay-missing ID': command({
    does: 'Delivers the events that it missed since a time [--since --until --source]',
    takes: ['ID'],
    options: ['since', 'until', 'source'],
    run({ subscriptions }, [id], { since, ...more }) {
      if (since !== undefined) return subscriptions.replayMissing(id, { since, ...more });
      throw new UsageError('Give --since, such as --since 2027-03-01T09:00:00Z.');
    },
  }),
  'events list': command({
    does: 'Lists events, newest first [--type --from --to --source --limit --cursor]',
    takes: [],
    options: eventOptions,
    run: ({ events }, _args, options) => events.list(typed(options)),
  }),
  'events find TEXT': command({
    does: 'Finds events by ID or a whole value, such as an email [as for list]',
    takes: ['TEXT'],
    options: eventOptions,
    run: ({ events }, [search], options) => events.list(typed({ ...options, search })),
  }),
  'events replay ID': command({
    does: 'Delivers an event again, to all or any one [--subscription --source]',
    takes: ['ID'],
    options: ['subscription', 'source'],
    run: ({ events }, [id], { subscription: subscription_id, source }) =>
      events.replay(id, { subscription_id, source }),
  }),
  'deliveries list': command({
    does: 'Lists them [--state --subscription --event --source --limit --cursor]',
    takes: [],
    options: ['state', 'subscription', 'event', 'source', 'limit', 'cursor'],
    run: ({ deliveries }, _args, { subscription: subscription_id, event: event_id, ...more }) =>
      deliveries.list(typed({ ...more, subscription_id, event_id })),
  }),
  'deliveries get ID': command({
    does: 'Shows one, with what its target responded to each attempt [--source]',
    takes: ['ID'],
    options: ['source'],
    run: ({ deliveries }, [id], options) => deliveries.get(id, options),
  }),
  'deliveries retry [ID ...]': command({
    does: 'Retries pending ones now, or all of --subscription [--source]',
    options: ['subscription', 'source'],
    run({ deliveries }, ids, { subscription: subscription_id, source }) {
      if (subscription_id !== undefined) {
        parsePositionals(ids, []);
        return deliveries.retry({ subscription_id, source });
      }
      if (ids.length > 0) return deliveries.retry({ ids, source });
      throw new UsageError('Give the IDs of deliveries, or --subscription with its ID or name.');
    },
  }),
  'deliveries replay [ID]': command({
    does: 'Replays one, or those of --subscription [--state --from --to --source]',
    options: ['subscription', 'state', 'from', 'to', 'source'],
    run({ deliveries }, args, { subscription: subscription_id, source, ...range }) {
      const isOne = subscription_id === undefined && Object.keys(range).length === 0;
      if (isOne) return deliveries.replay({ id: parsePositionals(args, ['ID'])[0], source });
      parsePositionals(args, []);
      if (subscription_id !== undefined) {
        return deliveries.replay(typed({ subscription_id, source, ...range }));
      }
      throw new UsageError(
        'Give the ID of a delivery, or --subscription ID with --state, --from, and --to.',
      );
    },
  }),
  'prune --older-than 30d': command({
    does: 'Deletes older events with their deliveries',
    takes: [],
    options: ['older-than'],
    run: (relay, _args, options) => relay.prune(durationOf(options['older-than'])),
  }),
};

/** Options are texts. The relay checks their values and names an invalid one. */
function typed<const Options extends Readonly<Record<string, string | undefined>>>(
  options: Options,
): { readonly [Name in keyof Options]: Name extends 'limit' ? number : never } {
  const { limit } = options;
  return { ...options, ...(limit !== undefined && { limit: Number(limit) }) } as never;
}

function durationOf(text = ''): number {
  const [, digits, unit = ''] = /^(\d{1,5})([dh])$/.exec(text) ?? [];
  const ms = units[unit];
  if (ms !== undefined) return Number(digits) * ms;
  throw new UsageError(`--older-than must be days or hours, such as 30d or 12h, not "${text}".`);
}
