import { dirname, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { publicWorkflow } from '../../packages/n8n-nodes-screen-advertising/scripts/public-repository.mts';
import { projectFiles, read } from './project.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps?: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
}

const release = '.github/workflows/release.yml';
const files = projectFiles().filter((path) =>
  /^\.github\/(workflows|actions)\/.*\.ya?ml$/.test(path),
);
const texts = new Map([
  ...files.map((path) => [path, read(path)] as const),
  // Of the n8n node's public repository.
  ['publish.yml', publicWorkflow(read(release))],
]);
const parsed = [...texts].map(([path, text]) => ({ path, ...parse(text) }));
const jobs = parsed.flatMap(({ path, jobs = {}, runs }) =>
  Object.entries<Job>(runs ? { action: runs } : jobs).map(([name, job]) => ({
    name: `${posix.basename(path, '.yml')}: ${name}`,
    job,
  })),
);
const steps = jobs.flatMap(({ job }) => job.steps ?? []);
const commands = steps.flatMap(({ run }) => run ?? []);

const holdsSecret = (value: unknown) => /\bsecrets\b/.test(JSON.stringify(value) ?? '');
const isPrivileged = ({ permissions = {}, ...job }: Job) =>
  Object.values(permissions).includes('write') || holdsSecret(job);

/** An action without its version, or the first line of a command, and the secret that it gets. */
function shown({ uses, run = '', env = {} }: Step): string {
  const secrets = Object.entries(env).filter(([, value]) => holdsSecret(value));
  const what = (uses ?? run.trimEnd().replace(/\n[\s\S]*/, ' …')).replace(/@[\w.]+/, '');
  return [what, ...secrets.map(([name]) => name)].join(' < ');
}

describe('the path to users', () => {
  it('takes actions by their commits, each and pnpm in one version', () => {
    const all = [...texts.values()].join('\n');
    const used = [...all.matchAll(/^.*\buses: (?! *\.\/)(.*)$/gm)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(10);
    // Tags and branches of an action can be moved to other code; a commit cannot.
    const pinned = /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(used.filter((action = '') => !pinned.test(action))).toEqual([]);
    const versions = all.match(/(?:[\w-]+\/[\w-]+|pnpm)@(?:[0-9a-f]{40}|\d+\.\d+\.\d+)/g) ?? [];
    const names = [...new Set(versions)].map((version) => version.replace(/@.*/, ''));
    expect(names.toSorted()).toEqual([...new Set(names)].sort());
  });

  it('bypasses the lockfile for nothing but pnpm', () => {
    const fetched = commands.flatMap(
      (run) => run.match(/\b(?:npx|npm (?:exec|install|i|ci)|pnpm dlx|corepack)\b[^\n;&|]*/g) ?? [],
    );
    expect(fetched.length).toBeGreaterThan(3);
    expect(fetched.filter((one) => !/ pnpm@\d+\.\d+\.\d+(?: |$)/.test(one))).toEqual([]);
    expect(parsed.filter((one) => /"(?:container|services)":/.test(JSON.stringify(one)))).toEqual(
      [],
    );
  });

  it('lets jobs read alone, and leaves no token in a checkout', () => {
    const rights = parsed.filter(({ runs }) => !runs).map(({ permissions }) => permissions);
    expect(new Set(rights.map((right) => JSON.stringify(right)))).toEqual(
      new Set(['{"contents":"read"}']),
    );
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(3);
    expect(checkouts.filter((step) => step.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('shows secrets only to single steps, and writes no given text into a command', () => {
    const outside = [
      ...parsed.map(({ env }) => env),
      ...jobs.map(({ job }) => ({ ...job, steps: 0 })),
    ];
    expect(outside.filter(holdsSecret)).toEqual([]);
    expect(commands.filter((run) => /\$\{\{(?! *matrix\.)/.test(run))).toEqual([]);
  });

  it('has these jobs that may write or get a secret, and they do nothing else', () => {
    const privileged = jobs.filter(({ job }) => isPrivileged(job));
    const rows = privileged.map(({ name, job: { permissions = {}, steps = [] } }) => [
      name,
      [...Object.entries(permissions).map((right) => right.join(': ')), ...steps.map(shown)],
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      'publish: publish': [
        'id-token: write',
        'actions/setup-node',
        'actions/download-artifact',
        'for file in ./*.tgz; do npm publish "$file" --access public --provenance --ignore-scripts; done',
      ],
      'release: version': [
        'contents: write',
        'pull-requests: write',
        'actions/checkout',
        'actions/setup-node',
        'npx -y pnpm install --frozen-lockfile --ignore-scripts',
        'changesets/action',
      ],
      'release: publish': [
        'id-token: write',
        'actions/setup-node',
        'actions/download-artifact',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: A variable of the shell.
        'npm config set "$(npm config get registry | sed \'s/^https://\'):_authToken=\\${NODE_AUTH_TOKEN}"',
        'for file in ./*.tgz; do npm publish "$file" --access public --provenance --ignore-scripts; done < NODE_AUTH_TOKEN',
      ],
      'release: tag': ['contents: write', 'actions/download-artifact', 'for file in *.tgz; do …'],
      'release: images': [
        'contents: read',
        'packages: write',
        'actions/checkout',
        'docker/setup-qemu-action',
        'docker/setup-buildx-action',
        'docker/login-action',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: An expression of the workflow.
        'version="$(jq -r .version packages/${{ matrix.name }}/package.json)" …',
        'docker/build-push-action',
      ],
      'release: n8n': [
        'actions/checkout',
        'actions/setup-node',
        'node packages/n8n-nodes-screen-advertising/scripts/write-public-repository.mts public',
        'npx -y pnpm install --lockfile-only --ignore-scripts',
        'if [ -z "$N8N_REPOSITORY_KEY" ]; then echo \'There is no N8N_REPOSITORY_KEY: nothing to do.\'; exit; fi … < N8N_REPOSITORY_KEY',
      ],
      'release: zapier': [
        'actions/checkout',
        'actions/setup-node',
        'npx -y pnpm --filter zapier-screen-advertising install --frozen-lockfile --ignore-scripts',
        'actions/download-artifact',
        'if [ -z "$ZAPIER_DEPLOY_KEY" ]; then echo \'There is no ZAPIER_DEPLOY_KEY: nothing to do.\'; exit; fi … < ZAPIER_DEPLOY_KEY < ZAPIER_APP_ID',
      ],
    });
    const later = privileged
      .flatMap(({ job: { steps = [] } }) => steps)
      .flatMap(({ run = '' }) => run.split('\n').slice(1));
    expect(later.filter((line) => /\b(?:npx|pnpm|npm (?:install|ci|exec))\b/.test(line))).toEqual(
      [],
    );
  });
});

describe('dependencies', () => {
  const { updates } = parse(read('.github/dependabot.yml'));

  it('of compose files are updated in every folder', () => {
    const composed = projectFiles().filter((path) => path.endsWith('/compose.yaml'));
    const { directories } = updates.find(
      (one: Record<string, string>) => one['package-ecosystem'] === 'docker-compose',
    );
    expect(composed.map((path) => `/${dirname(path)}`).sort()).toEqual(directories.toSorted());
  });

  it('are checked with the Node that scripts run on, so that an older one causes no warnings', () => {
    const { node } = JSON.parse(read('package.json')).devDependencies;
    expect(parse(read('pnpm-workspace.yaml')).nodeVersion).toBe(node);
  });
});
