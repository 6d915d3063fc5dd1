import type { Relay } from '../relay.ts';
import { type Commands, command } from './command.ts';
import { followCommands } from './follow-commands.ts';

const eventOptions = ['type', 'from', 'to', 'source', 'limit', 'cursor'] as const;

/** Commands that list and change subscriptions, events and deliveries. */
const recordCommands: Commands = {
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
    does: 'Limits its deliveries at once',
    takes: ['ID'],
    options: ['maxConcurrency', 'source'],
    run: ({ subscriptions }, [id], { maxConcurrency: max_concurrency, source }) =>
      subscriptions.change(id, { max_concurrency, source }),
  }),
  'subscriptions redeliver': command({
    does: 'Delivers again those in --states or of --deliveries, or what is --missing',
    takes: ['ID'],
    options: ['states', 'deliveries', 'missing', 'of', 'from', 'to', 'source'],
    run: ({ subscriptions }, [id], options) => subscriptions.redeliver(id, options),
  }),
  'subscriptions retry': command({
    does: 'Makes the next attempt of its pending deliveries now',
    takes: ['ID'],
    options: ['deliveries', 'source'],
    run: ({ subscriptions }, [id], options) => subscriptions.retry(id, options),
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
  'events redeliver': command({
    does: 'Delivers an event again, to all that had it or any one',
    takes: ['ID'],
    options: ['subscription', 'source'],
    run: ({ events }, [id], options) => events.redeliver(id, options),
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
  prune: command({
    does: 'Deletes events older than --older-than, with their deliveries',
    options: ['olderThan'],
    run: (relay, _args, { olderThan }) => relay.prune(olderThan),
  }),
};

/** Secrets are read from standard input: other users of the machine can see command lines. */
const accessCommands: Commands = {
  'sign-in': command({
    does: "Prints a link to the operator's page that signs in once, within 15 minutes",
    run: async (relay, _args, _options, { relayUrl }) => ({
      link: await relay.signInLink(relayUrl),
    }),
  }),
  'sources add': command({
    does: 'Adds a source; reads its signing secret from standard input',
    takes: ['NAME'],
    isForNewFolder: true,
    run: async ({ sources }, [name], _options, { readSecret }) =>
      sources.add(name, await readSecret()),
  }),
  'sources list': command({
    does: 'Lists sources',
    run: ({ sources }) => sources.list(),
  }),
  'sources rotate': command({
    does: 'Reads a new secret from standard input; the one in use works 7 more days',
    takes: ['NAME'],
    async run({ sources }, [name], _options, { readSecret }) {
      const { changed: rotated, ...rest } = await sources.rotate(name, await readSecret());
      return { name, rotated, ...rest };
    },
  }),
  'sources refused': command({
    does: 'Lists the latest deliveries it refused, and why; never a body or secret',
    takes: ['NAME'],
    run: ({ sources }, [name]) => sources.refused(name),
  }),
  'tokens create': command({
    does: 'Creates a token; shows it once, with its signing secret and connector key',
    takes: ['SOURCE', 'NAME'],
    options: ['rights'],
    run: async ({ tokens }, [source, name], { rights }) =>
      shown(await tokens.create(source, name, rights?.split(/[ ,]+/))),
  }),
  'tokens list': command({
    does: 'Lists tokens',
    run: ({ tokens }) => tokens.list(),
  }),
  'tokens revoke': command({
    does: 'Revokes a token and switches off its subscriptions',
    takes: ['SOURCE', 'NAME'],
    async run({ tokens }, [source, name]) {
      await tokens.revoke(source, name);
      return { name, revoked: true };
    },
  }),
  'tokens rotate': command({
    does: 'Replaces a token and its secret; the previous ones work for a day',
    takes: ['SOURCE', 'NAME'],
    options: ['now'],
    run: async ({ tokens }, args, options) => shown(await tokens.rotate(...args, options)),
  }),
  'secrets renew': command({
    does: 'Re-encrypts every secret with the first key in RELAY_SECRET_KEY',
    run: async (relay) => ({ renewed: await relay.renewSecrets() }),
  }),
  'secrets reset': command({
    does: 'After losing the key: replaces secrets that it cannot decrypt; lists whose',
    isForLostKey: true,
    run: async (relay) => ({
      ...(await relay.resetSecrets()),
      next: 'Run `sources rotate` for each source, with its signing secret, and `tokens rotate` for each token, whose new key goes into its connector.',
    }),
  }),
  copy: command({
    does: 'Copies everything to another, empty database; secrets stay encrypted',
    options: ['toDatabase'],
    run: async (relay, _args, { toDatabase }) => ({
      ...(await relay.copy(toDatabase)),
      next: 'Start the relay with this DATABASE_URL and the same key: RELAY_SECRET_KEY, or secret.key in RELAY_DATA_DIR.',
    }),
  }),
};

/** Every command except `start`. */
export const commands: Commands = { ...accessCommands, ...recordCommands, ...followCommands };

function shown({
  token,
  signingSecret,
  connectorKey,
}: Awaited<ReturnType<Relay['tokens']['create']>>) {
  return { token, signing_secret: signingSecret, connector_key: connectorKey };
}
