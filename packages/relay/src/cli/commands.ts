import type { Relay } from '../relay.ts';
import type { Command } from './command.ts';
import { followCommands } from './follow-commands.ts';
import { parsePositionals } from './parse-arguments.ts';
import { recordCommands } from './record-commands.ts';

/** Secrets are read from standard input: other users of the machine can see command lines. */
const accessCommands: Readonly<Record<string, Command>> = {
  'sign-in': {
    usage: 'sign-in',
    does: "Prints a link to the operator's page that signs in once, within 15 minutes",
    run: async (relay, args, { relayUrl }) => {
      parsePositionals(args, []);
      return { link: await relay.signInLink(relayUrl) };
    },
  },
  'sources add': {
    usage: 'sources add NAME',
    does: 'Adds a source; reads its signing secret from standard input',
    isForNewFolder: true,
    run: async ({ sources }, args, { readSecret }) =>
      sources.add(parsePositionals(args, ['NAME'])[0], await readSecret()),
  },
  'sources list': {
    usage: 'sources list',
    does: 'Lists sources',
    run: ({ sources }, args) => {
      parsePositionals(args, []);
      return sources.list();
    },
  },
  'sources rotate': {
    usage: 'sources rotate NAME',
    does: 'Reads a new secret from standard input; the previous one works for 7 days',
    run: async ({ sources }, args, { readSecret }) => {
      const [name] = parsePositionals(args, ['NAME']);
      await sources.rotate(name, await readSecret());
      return { name, rotated: true };
    },
  },
  'tokens create': {
    usage: 'tokens create SOURCE NAME',
    does: 'Creates a token; shows it once, with its signing secret and connector key',
    run: async ({ tokens }, args) =>
      shown(await tokens.create(...parsePositionals(args, ['SOURCE', 'NAME']))),
  },
  'tokens list': {
    usage: 'tokens list',
    does: 'Lists tokens',
    run: ({ tokens }, args) => {
      parsePositionals(args, []);
      return tokens.list();
    },
  },
  'tokens revoke': {
    usage: 'tokens revoke SOURCE NAME',
    does: 'Revokes a token and switches off its subscriptions',
    run: async ({ tokens }, args) => {
      const [source, name] = parsePositionals(args, ['SOURCE', 'NAME']);
      await tokens.revoke(source, name);
      return { name, revoked: true };
    },
  },
  'tokens rotate': {
    usage: 'tokens rotate SOURCE NAME',
    does: 'Replaces a token and its secret; the previous ones work for a day',
    run: async ({ tokens }, args) =>
      shown(await tokens.rotate(...parsePositionals(args, ['SOURCE', 'NAME']))),
  },
  'secrets renew': {
    usage: 'secrets renew',
    does: 'Re-encrypts every secret with the first key in RELAY_SECRET_KEY',
    run: async (relay, args) => {
      parsePositionals(args, []);
      return { renewed: await relay.renewSecrets() };
    },
  },
  'secrets reset': {
    usage: 'secrets reset',
    does: 'After losing the key: replaces secrets that it cannot decrypt; lists whose',
    isForLostKey: true,
    run: async (relay, args) => {
      parsePositionals(args, []);
      const { sources, tokens } = await relay.resetSecrets();
      return {
        sources,
        tokens,
        next: 'Run `sources rotate` for each source, with its signing secret, and `tokens rotate` for each token, whose new key goes into its connector.',
      };
    },
  },
  backup: {
    usage: 'backup FILE',
    does: 'Writes everything to a new file while it runs; secrets stay encrypted',
    run: async (relay, args) => {
      const [file] = parsePositionals(args, ['FILE']);
      return { file, ...(await relay.backup(file)) };
    },
  },
  restore: {
    usage: 'restore FILE',
    does: 'Fills an empty database from a backup, before the relay starts',
    isForNewFolder: true,
    run: async (relay, args) => {
      const [file] = parsePositionals(args, ['FILE']);
      return { file, ...(await relay.restore(file)) };
    },
  },
};

/** Every command except `start`, by its words. */
export const commands: ReadonlyMap<string, Command> = new Map(
  Object.entries({ ...accessCommands, ...recordCommands, ...followCommands }),
);

function shown({
  token,
  signingSecret,
  connectorKey,
}: Awaited<ReturnType<Relay['tokens']['create']>>) {
  return { token, signing_secret: signingSecret, connector_key: connectorKey };
}
