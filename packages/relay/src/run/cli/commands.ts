import type { Relay } from '../../relay.ts';
import { type Commands, command } from './command.ts';
import { followCommands } from './follow-commands.ts';
import { recordCommands } from './record-commands.ts';

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
    options: ['to'],
    run: async (relay, _args, { to }) => ({
      ...(await relay.copy(to)),
      next: 'Start the relay with this DATABASE_URL and the same key: RELAY_SECRET_KEY, or secret.key in RELAY_DATA_DIR.',
    }),
  }),
};

const maintenanceCommands: Commands = {
  prune: command({
    does: 'Deletes events older than --older-than, with their deliveries',
    options: ['olderThan'],
    run: (relay, _args, { olderThan }) => relay.prune(olderThan),
  }),
};

/** Every command except `start`. */
export const commands: Commands = {
  ...accessCommands,
  ...recordCommands,
  ...maintenanceCommands,
  ...followCommands,
};

function shown({
  token,
  signingSecret,
  connectorKey,
}: Awaited<ReturnType<Relay['tokens']['create']>>) {
  return { token, signing_secret: signingSecret, connector_key: connectorKey };
}
