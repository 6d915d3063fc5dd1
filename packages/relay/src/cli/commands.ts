import type { Relay } from '../relay.ts';
import { UsageError } from './usage-error.ts';

export interface Command {
  readonly usage: string;
  readonly does: string;
  /** What is printed: as JSON, or as lines of names and values. */
  run(relay: Relay, args: readonly string[], readSecret: () => Promise<string>): Promise<unknown>;
}

/** One argument after another; a UsageError where one is missing or too many came. */
function take<const Names extends readonly string[]>(
  args: readonly string[],
  names: Names,
): { readonly [Name in keyof Names]: string } {
  if (args.length === names.length) return args as never;
  throw new UsageError(
    `It takes ${names.length === 0 ? 'no arguments' : names.join(' and ')}; ${args.length} came.`,
  );
}

/** Everything besides `start`. A secret is read from the input: a command line is seen by others. */
export const commands: Readonly<Record<string, Command>> = {
  'sources add': {
    usage: 'sources add NAME',
    does: 'Adds a source; its signing secret is read from the input',
    run: async ({ sources }, args, readSecret) =>
      sources.add(take(args, ['NAME'])[0], await readSecret()),
  },
  'sources list': {
    usage: 'sources list',
    does: 'Lists the sources',
    run: ({ sources }, args) => {
      take(args, []);
      return sources.list();
    },
  },
  'sources rotate': {
    usage: 'sources rotate NAME',
    does: 'Takes a new signing secret from the input; the previous one works for 7 days',
    run: async ({ sources }, args, readSecret) => {
      const [name] = take(args, ['NAME']);
      await sources.rotate(name, await readSecret());
      return { name, rotated: true };
    },
  },
  'tokens create': {
    usage: 'tokens create SOURCE NAME',
    does: 'Creates a token, and shows it once with its signing secret and connector key',
    run: async ({ tokens }, args) => shown(await tokens.create(...take(args, ['SOURCE', 'NAME']))),
  },
  'tokens list': {
    usage: 'tokens list',
    does: 'Lists the tokens',
    run: ({ tokens }, args) => {
      take(args, []);
      return tokens.list();
    },
  },
  'tokens revoke': {
    usage: 'tokens revoke SOURCE NAME',
    does: 'Ends a token, and switches off its subscriptions',
    run: async ({ tokens }, args) => {
      const [source, name] = take(args, ['SOURCE', 'NAME']);
      await tokens.revoke(source, name);
      return { name, revoked: true };
    },
  },
  'tokens rotate': {
    usage: 'tokens rotate SOURCE NAME',
    does: 'Makes a new token and secret; the previous ones work for a day',
    run: async ({ tokens }, args) => shown(await tokens.rotate(...take(args, ['SOURCE', 'NAME']))),
  },
  'secrets renew': {
    usage: 'secrets renew',
    does: 'Encrypts every secret with the first of several keys in RELAY_SECRET_KEY',
    run: async (relay, args) => {
      take(args, []);
      return { renewed: await relay.renewSecrets() };
    },
  },
};

function shown({
  token,
  signingSecret,
  connectorKey,
}: Awaited<ReturnType<Relay['tokens']['create']>>) {
  return { token, signing_secret: signingSecret, connector_key: connectorKey };
}
