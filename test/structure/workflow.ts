import { parse } from 'yaml';

/** A step of a job, or of an action of the project. */
export interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
}

export interface Job {
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
