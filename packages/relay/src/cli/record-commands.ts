import { type Commands, command, UsageError } from './command.ts';

const eventOptions = ['type', 'from', 'to', 'source', 'limit', 'cursor'] as const;

/** Commands that list and change subscriptions, events and deliveries. */
export const recordCommands: Commands = {
  'subscriptions list': command({
    does: 'Lists subscriptions, newest first',
    options: ['source', 'limit', 'cursor'],
    run: ({ subscriptions }, _args, options) => subscriptions.list(options),
  }),
  'subscriptions off': command({
    does: 'Switches off a subscription; it keeps its position',
    takes: ['ID'],
    options: ['source'],
    run: ({ subscriptions }, [id], options) => subscriptions.off(id, options),
  }),
  'subscriptions on': command({
    does: 'Switches it on again; it continues where it stopped',
    takes: ['ID'],
    options: ['source'],
    run: ({ subscriptions }, [id], options) => subscriptions.on(id, options),
  }),
  'subscriptions limit': command({
    does: 'Limits its deliveries with --max-per-minute and --max-concurrency',
    takes: ['ID'],
    options: ['maxPerMinute', 'maxConcurrency', 'source'],
    run({ subscriptions }, [id], { maxPerMinute, maxConcurrency, source }) {
      if (maxPerMinute === undefined && maxConcurrency === undefined) {
        throw new UsageError('Give --max-per-minute, --max-concurrency, or both.');
      }
      return subscriptions.change(id, {
        max_per_minute: maxPerMinute === 'none' ? null : maxPerMinute,
        max_concurrency: maxConcurrency,
        source,
      });
    },
  }),
  'subscriptions recover': command({
    does: 'Switches it on; sends what is pending, dead or missed now',
    takes: ['ID'],
    options: ['since', 'source'],
    run: ({ subscriptions }, [id], options) => subscriptions.recover(id, options),
  }),
  'subscriptions replay-missing': command({
    does: 'Delivers the events that it missed since --since',
    takes: ['ID'],
    options: ['since', 'until', 'source'],
    async run({ subscriptions }, [id], { since, ...options }) {
      if (since !== undefined) return subscriptions.replayMissing(id, { since, ...options });
      throw new UsageError('Give the start of the period: --since 2027-03-01T09:00:00Z.');
    },
  }),
  'events list': command({
    does: 'Lists events, newest first',
    options: eventOptions,
    run: ({ events }, _args, options) => events.list(options),
  }),
  'events find': command({
    does: 'Finds events by ID or a whole value, such as an email',
    takes: ['TEXT'],
    options: eventOptions,
    run: ({ events }, [search], options) => events.list({ ...options, search }),
  }),
  'events erase': command({
    does: 'Erases what is stored of events with an ID or a whole value',
    takes: ['TEXT'],
    options: ['source'],
    run: ({ events }, [search], options) => events.erase(search, options),
  }),
  'events replay': command({
    does: 'Delivers an event again, to all or any one',
    takes: ['ID'],
    options: ['subscription', 'source'],
    run: ({ events }, [id], { subscription: subscription_id, source }) =>
      events.replay(id, { subscription_id, source }),
  }),
  'deliveries list': command({
    does: 'Lists deliveries',
    options: ['state', 'subscription', 'event', 'source', 'limit', 'cursor'],
    run: ({ deliveries }, _args, { subscription: subscription_id, event: event_id, ...more }) =>
      deliveries.list({ ...more, subscription_id, event_id }),
  }),
  'deliveries get': command({
    does: 'Shows one, with what its target responded to each attempt',
    takes: ['ID'],
    options: ['source'],
    run: ({ deliveries }, [id], options) => deliveries.get(id, options),
  }),
  'deliveries retry': command({
    does: 'Retries pending ones now, or all of --subscription',
    takes: ['[ID...]'],
    options: ['subscription', 'source'],
    async run({ deliveries, subscriptions }, ids, { subscription, source }) {
      const [id, ...others] = ids;
      if (id === undefined && subscription !== undefined) {
        return subscriptions.retry(subscription, { source });
      }
      if (id !== undefined && subscription === undefined) {
        return others.length > 0
          ? deliveries.retrySeveral({ ids: [...ids], source })
          : deliveries.retry(id, { source });
      }
      throw new UsageError('Give the IDs of deliveries, or --subscription with its ID or name.');
    },
  }),
  'deliveries replay': command({
    does: 'Replays one, or those of --subscription',
    takes: ['[ID]'],
    options: ['subscription', 'state', 'from', 'to', 'source'],
    async run({ deliveries, subscriptions }, [id], { subscription, source, ...range }) {
      const isOne = subscription === undefined && Object.keys(range).length === 0;
      if (isOne && id !== undefined) return deliveries.replay(id, { source });
      if (id === undefined && subscription !== undefined) {
        return subscriptions.replay(subscription, { source, ...range });
      }
      throw new UsageError(
        'Give the ID of a delivery, or --subscription ID with --state, --from, and --to.',
      );
    },
  }),
  prune: command({
    does: 'Deletes events older than --older-than, with their deliveries',
    options: ['olderThan'],
    run: (relay, _args, { olderThan }) => relay.prune(olderThan),
  }),
};
