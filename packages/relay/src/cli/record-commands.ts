import type { Command } from './command.ts';
import { parseOptions, parsePositionals } from './parse-arguments.ts';
import { UsageError } from './usage-error.ts';

const units: Readonly<Record<string, number>> = { d: 24 * 3_600_000, h: 3_600_000 };

const eventOptions = ['type', 'from', 'to', 'source', 'limit', 'cursor'] as const;

/** Commands that list and change subscriptions, events and deliveries. */
export const recordCommands: Readonly<Record<string, Command>> = {
  'subscriptions list': {
    usage: 'subscriptions list',
    does: 'Lists subscriptions, newest first [--source --limit --cursor]',
    run: ({ subscriptions }, args) => {
      const { options, rest } = parseOptions(args, ['source', 'limit', 'cursor']);
      parsePositionals(rest, []);
      return subscriptions.list(typed(options));
    },
  },
  'subscriptions off': {
    usage: 'subscriptions off ID',
    does: 'Switches off a subscription; pending deliveries become dead [--source]',
    run: ({ subscriptions }, args) => {
      const { options, rest } = parseOptions(args, ['source']);
      return subscriptions.off(parsePositionals(rest, ['ID'])[0], options);
    },
  },
  'subscriptions on': {
    usage: 'subscriptions on ID',
    does: 'Switches it on again; then replay its dead deliveries [--source]',
    run: ({ subscriptions }, args) => {
      const { options, rest } = parseOptions(args, ['source']);
      return subscriptions.on(parsePositionals(rest, ['ID'])[0], options);
    },
  },
  'subscriptions recover': {
    usage: 'subscriptions recover ID',
    does: 'Switches it on; delivers what died and what it missed [--source]',
    run: ({ subscriptions }, args) => {
      const { options, rest } = parseOptions(args, ['source']);
      return subscriptions.recover(parsePositionals(rest, ['ID'])[0], options);
    },
  },
  'subscriptions replay-missing': {
    usage: 'subscriptions replay-missing ID',
    does: 'Delivers the events that it missed since a time [--since --until --source]',
    run: ({ subscriptions }, args) => {
      const { options, rest } = parseOptions(args, ['since', 'until', 'source']);
      const [id] = parsePositionals(rest, ['ID']);
      const { since } = options;
      if (since !== undefined) return subscriptions.replayMissing(id, { ...options, since });
      throw new UsageError('Give --since, such as --since 2027-03-01T09:00:00Z.');
    },
  },
  'events list': {
    usage: 'events list',
    does: 'Lists events, newest first [--type --from --to --source --limit --cursor]',
    run: ({ events }, args) => {
      const { options, rest } = parseOptions(args, eventOptions);
      parsePositionals(rest, []);
      return events.list(typed(options));
    },
  },
  'events find': {
    usage: 'events find TEXT',
    does: 'Finds events by ID or a whole value, such as an email [as for list]',
    run: ({ events }, args) => {
      const { options, rest } = parseOptions(args, eventOptions);
      const [search] = parsePositionals(rest, ['TEXT']);
      return events.list(typed({ ...options, search }));
    },
  },
  'events replay': {
    usage: 'events replay ID',
    does: 'Delivers an event again, to all or any one [--subscription --source]',
    run: ({ events }, args) => {
      const { options, rest } = parseOptions(args, ['subscription', 'source']);
      const { subscription, source } = options;
      return events.replay(parsePositionals(rest, ['ID'])[0], {
        subscription_id: subscription,
        source,
      });
    },
  },
  'deliveries list': {
    usage: 'deliveries list',
    does: 'Lists them [--state --subscription --event --source --limit --cursor]',
    run: ({ deliveries }, args) => {
      const names = ['state', 'subscription', 'event', 'source', 'limit', 'cursor'] as const;
      const { options, rest } = parseOptions(args, names);
      parsePositionals(rest, []);
      const { subscription: subscription_id, event: event_id, ...more } = options;
      return deliveries.list(typed({ ...more, subscription_id, event_id }));
    },
  },
  'deliveries get': {
    usage: 'deliveries get ID',
    does: 'Shows one, with what its target responded to each attempt [--source]',
    run: ({ deliveries }, args) => {
      const { options, rest } = parseOptions(args, ['source']);
      return deliveries.get(parsePositionals(rest, ['ID'])[0], options);
    },
  },
  'deliveries retry': {
    usage: 'deliveries retry [ID ...]',
    does: 'Retries pending ones now, or all of --subscription [--source]',
    run: ({ deliveries }, args) => {
      const { options, rest } = parseOptions(args, ['subscription', 'source']);
      const { subscription: subscription_id, source } = options;
      if (subscription_id !== undefined) {
        parsePositionals(rest, []);
        return deliveries.retry({ subscription_id, source });
      }
      if (rest.length > 0) return deliveries.retry({ ids: rest, source });
      throw new UsageError('Give the IDs of deliveries, or --subscription with its ID or name.');
    },
  },
  'deliveries replay': {
    usage: 'deliveries replay [ID]',
    does: 'Replays one, or those of --subscription [--state --from --to --source]',
    run: ({ deliveries }, args) => {
      const names = ['subscription', 'state', 'from', 'to', 'source'] as const;
      const { options, rest } = parseOptions(args, names);
      const { subscription: subscription_id, source, ...range } = options;
      const isOne = subscription_id === undefined && Object.keys(range).length === 0;
      if (isOne) return deliveries.replay({ id: parsePositionals(rest, ['ID'])[0], source });
      parsePositionals(rest, []);
      if (subscription_id !== undefined) {
        return deliveries.replay(typed({ subscription_id, source, ...range }));
      }
      throw new UsageError(
        'Give the ID of a delivery, or --subscription ID with --state, --from, and --to.',
      );
    },
  },
  prune: {
    usage: 'prune --older-than 30d',
    does: 'Deletes older events with their deliveries',
    run: (relay, args) => {
      const { options, rest } = parseOptions(args, ['older-than']);
      parsePositionals(rest, []);
      return relay.prune(durationOf(options['older-than']));
    },
  },
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
