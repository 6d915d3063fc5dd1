import { allCommands, type Typed } from './typed.ts';

export interface Kind {
  readonly matches: RegExp;
  /** The file that runs these commands exactly as the documents show them. */
  readonly runBy: string;
  /** A text in that file, if it does not read the commands from the documents. */
  readonly holds?: string;
}

const pnpm = '^(?:npx -y )?pnpm(?:@12)? ';
const zapierScript = `${pnpm}--filter zapier-screen-advertising run `;

/** Every command of the documents matches exactly one of these kinds, or needs what no test has. */
export const kinds = {
  'calls of a sandbox': {
    matches: /^curl .*http:\/\/127\.0\.0\.1:8787\//,
    runBy: 'test/docs/commands/calls.full.test.ts',
  },
  'starts of a sandbox': {
    matches: new RegExp(`${pnpm}(?:run )?sandbox(?: -|$)`),
    runBy: 'test/docs/commands/scripts.full.test.ts',
  },
  'events of a sandbox': {
    matches: new RegExp(`${pnpm}run sandbox fire `),
    runBy: 'test/docs/commands/calls.full.test.ts',
  },
  'scripts that print or write at once': {
    matches: new RegExp(`${pnpm}run (?:openapi|docs)$|^screen-advertising-sandbox openapi`),
    runBy: 'test/docs/commands/scripts.full.test.ts',
  },
  'the command line': {
    matches: new RegExp(
      `^export SCREEN_ADVERTISING_|^npx @screen-advertising/cli |${pnpm}run cli(?: |$)`,
    ),
    runBy: 'test/cli/readme.test.ts',
  },
  'the relay': {
    matches: new RegExp(
      `${pnpm}run relay(?: |$)|^screen-advertising-relay |^export (?:RELAY|CONNECTOR)_|^unset RELAY_|^echo "\\$RELAY_|^cp "\\$RELAY_|^install -D |^curl .*http://127\\.0\\.0\\.1:8788/`,
    ),
    runBy: 'test/relay/guide.full.test.ts',
  },
  'the MCP server': {
    matches: new RegExp(`${pnpm}run mcp(?: |$)`),
    runBy: 'test/mcp/program.full.test.ts',
  },
  'settings of the cluster': {
    matches: /^cat > \.env <<END\n/,
    runBy: 'test/docs/commands/settings.full.test.ts',
  },
  changesets: {
    matches: new RegExp(`${pnpm}changeset$`),
    runBy: 'test/docs/versions.full.test.ts',
  },
  "Zapier's command line": {
    matches: new RegExp(
      `^cat > packages/zapier-screen-advertising/build/|${zapierScript}(?:build|zapier invoke .*)$`,
    ),
    runBy: 'test/zapier/zapier-cli.full.test.ts',
  },
  'the n8n package by hand': {
    matches: /^cd packages\/n8n-nodes-screen-advertising && npm pack$|^mkdir -p |^tar -xzf /,
    runBy: 'test/packages/consumers/by-hand.ts',
  },
  'executions that crashed': {
    matches: /^curl -H "X-N8N-API-KEY: \$KEY" /,
    runBy: 'test/e2e/support/n8n-api.ts',
    holds: '/retry`',
  },
  'n8n to look around in': {
    matches: new RegExp(`${pnpm}run n8n$`),
    runBy: 'test/e2e/open-n8n.e2e.ts',
  },
  'scripts that take long': {
    matches: new RegExp(
      `${pnpm}(?:start|test|install|--filter \\S+ (?:run )?(?:build:zip|pictures\\S*|test:inspector|video)|run (?:build|lint|typecheck|check:packages|test:full|test:soak|test:engines|test:e2e|test:image|bench.*))$`,
    ),
    // It checks that continuous integration runs each of them.
    runBy: 'test/docs/commands.full.test.ts',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** Commands that no test can run, and why. */
export const needsMore: Readonly<Record<string, string>> = {
  'npx -y pnpm@12 --filter zapier-screen-advertising run zapier login':
    "somebody's account at Zapier",
  'npx -y pnpm@12 --filter zapier-screen-advertising run zapier register "Screen Advertising"':
    'an account at Zapier',
  'npx -y pnpm@12 --filter zapier-screen-advertising run zapier upload': 'an account at Zapier',
  'npx -y pnpm@12 --filter zapier-screen-advertising run zapier users:add person@example.com 0.1.0':
    'an app at Zapier',
  'npx -y pnpm@12 --filter n8n-nodes-screen-advertising run public ../n8n-nodes-screen-advertising':
    'a clone beside this one; what it writes is read by test/n8n/public-repository.test.ts',
  'npm install @screen-advertising/core': 'the package in the registry, which a release puts there',
  'npm install ../connectors/shared':
    'a project beside the clone; test/packages installs the packed core into one',
  'npm pack n8n-nodes-screen-advertising':
    'the package in the registry, which a release puts there',
  'docker run --rm -p 5678:5678 -v n8n_data:/home/node/.n8n --add-host host.docker.internal:host-gateway docker.n8n.io/n8nio/n8n':
    'a container engine',
  'docker compose up -d':
    'a container engine; what it starts is started without one by test/e2e/cluster',
  'docker compose up -d --build':
    'a container engine; what it starts is started without one by test/e2e/relay',
  'docker compose exec -T ingress-1 relay sources add main < secret.txt':
    'a container engine; test/relay/guide.full.test.ts runs the command without one',
  'docker compose exec ingress-1 relay tokens create main my-connector':
    'a container engine; test/relay/guide.full.test.ts runs the command without one',
  'docker compose exec ingress-1 relay sign-in':
    'a container engine; test/relay/guide.full.test.ts runs the command without one',
  'docker compose up -d postgres': 'a container engine',
  'echo "DOMAIN=relay.example.com" > .env': "the reader's domain, beside compose.yaml",
  'docker compose logs relay': 'a container engine',
  'docker build -f packages/relay/Dockerfile -t screen-advertising-relay .':
    'a container engine; test/e2e/hosting builds the image with another one',
  ...Object.fromEntries(
    [
      'docker compose exec relay relay sign-in',
      'docker compose exec relay relay tokens create main my-n8n',
      'docker compose exec -T relay relay sources rotate main < secret.txt',
      'docker compose exec relay relay backup /data/backup.gz',
      'docker compose cp relay:/data/backup.gz .',
      'docker compose cp relay:/data/secret.key .',
      'docker compose exec relay rm /data/backup.gz',
      "docker compose run --rm -T --entrypoint sh relay -c 'umask 077; cat > secret.key' < secret.key",
      "docker compose run --rm -T --entrypoint sh relay -c 'umask 077; cat > backup.gz' < backup.gz",
      'docker compose run --rm relay restore backup.gz',
      'docker compose exec relay rm backup.gz',
      'docker compose build',
      'docker compose logs caddy',
      'docker compose stop caddy',
      'docker compose stop',
      'docker compose down --volumes',
    ].map((text) => [text, 'a container engine; test/e2e/hosting does the same with another one']),
  ),
  ...Object.fromEntries(
    [
      'fly apps create my-relay',
      'fly deploy --ha=false',
      'fly logs',
      'fly ssh console --user node --command "relay sign-in"',
      'fly ssh console --app my-relay --user node --command "relay backup /data/backup.gz"',
      'fly ssh sftp get /data/backup.gz --app my-relay',
      'fly ssh sftp get /data/secret.key --app my-relay',
      'fly ssh console --app my-relay --user node --command "rm /data/backup.gz"',
      'fly ssh sftp put backup.gz /data/moved.gz',
      'fly ssh sftp put secret.key /data/moved.key',
      `fly ssh console --user node --command "sh -c 'umask 077; mkdir /data/moved; cp /data/moved.key /data/moved/secret.key; RELAY_DATA_DIR=/data/moved relay restore /data/moved.gz && rm /data/moved.*'"`,
    ].map((text) => [text, 'an account at Fly.io']),
  ),
  "export DATABASE_URL='<external URL>?sslmode=require' RELAY_SECRET_KEY='<the key>'":
    'a database at Render',
  'docker compose exec -T postgres pg_dump -U relay relay > relay.sql': 'a container engine',
  'docker compose exec -T postgres psql -U relay relay < relay.sql': 'a container engine',
  'git pull': 'a remote repository',
  'docker compose restart webhook-1 && docker compose restart webhook-2':
    'a container engine; test/e2e/cluster restarts both without one',
};

/** The kinds that a command matches. */
export function kindsOf({ text }: Typed): string[] {
  const names = Object.entries(kinds).filter(([, { matches }]) => matches.test(text));
  return [...names.map(([name]) => name), ...(text in needsMore ? ['needs more'] : [])];
}

/** All commands of one kind, in the order of the documents. */
export function commandsOf(kind: KindName): Typed[] {
  return allCommands.filter(({ text }) => kinds[kind].matches.test(text));
}

/** The commands' texts without duplicates. */
export function textsOf(kind: KindName): string[] {
  return [...new Set(commandsOf(kind).map(({ text }) => text))];
}
