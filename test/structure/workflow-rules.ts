import { parse } from 'yaml';

/** A step of a job, or of an action of the project. */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly uses?: string;
  readonly steps?: readonly Step[];
  readonly env?: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly container?: unknown;
  readonly services?: unknown;
  readonly secrets?: unknown;
}

export interface Workflow {
  readonly path: string;
  readonly text: string;
  readonly env?: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: readonly (readonly [name: string, job: Job])[];
}

/** A workflow, or an action of the project in the form of a workflow with one job. */
export function readWorkflow(path: string, text: string): Workflow {
  const { jobs, runs, env, permissions } = parse(text);
  const isAction = runs !== undefined;
  return {
    path,
    text,
    env,
    permissions: isAction ? {} : permissions,
    jobs: Object.entries<Job>(isAction ? { action: runs } : jobs),
  };
}

type Rule = (workflow: Workflow) => string[];

/** Tags and branches of an action can be moved to other code; a commit cannot. */
const actionsArePinned: Rule = ({ text }) =>
  [...text.matchAll(/^.*\buses: *(\S+)(.*)$/gm)].flatMap(([, action = '', rest = '']) => {
    if (action.startsWith('./')) return [];
    const isPinned = /^[\w./-]+@[0-9a-f]{40}$/.test(action) && /^ # v\d+\.\d+\.\d+$/.test(rest);
    return isPinned ? [] : [`${action} is not pinned by a commit with its version beside it`];
  });

const imagesArePinned: Rule = ({ jobs }) =>
  jobs.flatMap(([name, { container, services }]) => {
    const used = [container, ...Object.values(services ?? {})].filter(Boolean);
    const images = used.map((use) => (use as { image?: string }).image ?? String(use));
    return images
      .filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))
      .map((image) => `${name} takes the image ${image} without its digest`);
  });

/** Nothing else may bypass the lockfile. */
const pnpmHasAVersion: Rule = (workflow) =>
  stepsOf(workflow).flatMap(([name, { run = '' }]) => {
    const fetched = /\b(?:npx|npm (?:exec|install|i|ci)|pnpm dlx|corepack)\b([^\n;&|]*)/g;
    return [...run.matchAll(fetched)]
      .filter(([, words = '']) => !/^(?: -\S+)* pnpm@\d+\.\d+\.\d+(?: |$)/.test(words))
      .map(([command]) => `${name} runs "${command.trim()}", which is no exact version of pnpm`);
  });

const rightsAreOfJobs: Rule = ({ permissions, jobs }) => [
  ...(permissions && Object.values(permissions).every((right) => right === 'read')
    ? []
    : ['grants more than reading to every job']),
  ...jobs
    .filter(([, job]) => maySign(job) && Object.keys(job.permissions ?? {}).length > 1)
    .map(([name]) => `${name} may do more than sign`),
];

const checkoutsKeepNoToken: Rule = (workflow) =>
  stepsOf(workflow)
    .filter(([, { uses }]) => uses?.startsWith('actions/checkout@'))
    .filter(([, { with: options }]) => options?.['persist-credentials'] !== false)
    .map(([name]) => `${name} leaves its token in the checkout`);

/** Only the step that needs a secret gets it, and no such step installs anything. */
const secretsAreOfSteps: Rule = (workflow) => [
  ...[workflow.env, ...workflow.jobs.map(([, job]) => [job.env, job.secrets])]
    .filter((shared) => holdsSecret(shared))
    .map(() => 'shows a secret to all steps of a job'),
  ...stepsOf(workflow)
    .filter(([, step]) => holdsSecret(step) && (step.uses !== undefined || installs(step)))
    .map(([name]) => `${name} shows a secret to what installs or to an action`),
  ...stepsOf(workflow)
    .filter(([, { run }]) => /\bsecrets\./.test(run ?? ''))
    .map(([name]) => `${name} writes a secret into a command`),
];

/** A job that may publish runs nothing from the repository or its dependencies. */
const publishersOnlyPublish: Rule = ({ jobs }) =>
  jobs
    .filter(([, job]) => maySign(job) || /secrets\.NPM_TOKEN/.test(JSON.stringify(job)))
    .flatMap(([name, { steps = [] }]) => {
      const others = steps.filter(({ uses, run = '' }) =>
        uses === undefined
          ? !/^(?:npm config set |for file in \S+; do npm publish .*--ignore-scripts; done$)/.test(
              run,
            )
          : !/^actions\/(?:setup-node|download-artifact)@/.test(uses),
      );
      return others.map(({ uses, run }) => `${name} may publish, and runs ${uses ?? run}`);
    });

/** What installs beside rights or a secret runs no code of a dependency, and takes the lockfile's. */
const privilegedInstallsRunNothing: Rule = (workflow) =>
  workflow.jobs
    .filter(([, job]) => isPrivileged(job))
    .flatMap(([name, { steps = [] }]) =>
      steps
        .filter((step) => / install\b/.test(step.run ?? ''))
        .filter(({ run = '' }) => !/ --frozen-lockfile --ignore-scripts$/m.test(run))
        .map(({ run }) => `${name} has rights or a secret, and runs ${run}`),
    );

/** An attacker could put a command into the name of a branch or pull request. */
const commandsHoldNoGivenText: Rule = (workflow) =>
  stepsOf(workflow).flatMap(([name, { run = '' }]) =>
    [...run.matchAll(/\$\{\{(?! *matrix\.).*?\}\}/g)].map(
      ([expression]) => `${name} writes ${expression} into a command`,
    ),
  );

const rules: readonly Rule[] = [
  actionsArePinned,
  imagesArePinned,
  pnpmHasAVersion,
  rightsAreOfJobs,
  checkoutsKeepNoToken,
  secretsAreOfSteps,
  publishersOnlyPublish,
  privilegedInstallsRunNothing,
  commandsHoldNoGivenText,
];

/**
 * Ways in which a workflow could bring foreign code to users or leak a secret to it. (zizmor knows
 * more rules, but comes from another language's registry.)
 */
export function workflowFaults(workflow: Workflow): string[] {
  return rules.flatMap((rule) => rule(workflow)).map((fault) => `${workflow.path}: ${fault}`);
}

/** The jobs in which code of a dependency could take a token or a secret. */
export function jobsThatTrustDependencies({ jobs }: Workflow): string[] {
  return jobs
    .filter(([, job]) => isPrivileged(job) && (job.steps ?? []).some(runsDependencies))
    .map(([name]) => name);
}

/** Versions that differ between workflows. Each action, and pnpm, must have only one. */
export function versionFaults(workflows: readonly Workflow[]): string[] {
  const used = workflows.flatMap(({ text }) => [
    ...text.matchAll(/([\w-]+\/[\w-]+|pnpm)@([0-9a-f]{40}|\d+\.\d+\.\d+)/g),
  ]);
  const versions = new Map<string, Set<string>>();
  for (const [, name = '', version = ''] of used) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return [...versions].flatMap(([name, all]) =>
    all.size > 1 ? [`${name} comes in ${all.size} versions`] : [],
  );
}

function stepsOf({ jobs }: Workflow): (readonly [name: string, step: Step])[] {
  return jobs.flatMap(([name, { steps = [] }]) => steps.map((step) => [name, step] as const));
}

/** Whether it may do more than read, or gets a secret. */
function isPrivileged(job: Job): boolean {
  return Object.values(job.permissions ?? {}).includes('write') || holdsSecret(job);
}

function runsDependencies({ uses = '', run = '' }: Step): boolean {
  return installs({ run }) || uses.startsWith('./') || /node_modules\//.test(run);
}

function maySign({ permissions }: Job): boolean {
  return permissions?.['id-token'] === 'write';
}

function holdsSecret(value: unknown): boolean {
  return /\bsecrets\b/.test(JSON.stringify(value) ?? '');
}

function installs({ run = '' }: Step): boolean {
  return /\b(?:npx|pnpm|npm (?:install|ci|exec))\b/.test(run);
}
