import { InvalidArgumentError } from 'commander';
import type { NewToken } from '../../base/secrets.ts';
import type { Add, WithRelay } from './with-relay.ts';

/**
 * Commands about sources, tokens, secrets and the whole database. Secrets are read from standard
 * input: other users of the machine can see command lines.
 */
export function addCommands(add: Add, using: WithRelay): void {
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

function addSourceCommands(add: Add, using: WithRelay): void {
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

function addTokenCommands(add: Add, using: WithRelay): void {
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
