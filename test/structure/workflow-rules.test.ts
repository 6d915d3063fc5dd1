import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { publicWorkflow } from '../../packages/n8n-nodes-screen-advertising/scripts/public-workflow.mts';
import { projectFiles, read } from './project.ts';
import {
  jobsThatTrustDependencies,
  readWorkflow,
  versionFaults,
  workflowFaults,
} from './workflow-rules.ts';

const files = projectFiles().filter((path) =>
  /^\.github\/(workflows|actions)\/.*\.ya?ml$/.test(path),
);
const release = '.github/workflows/release.yml';

const ofThePublicRepository = 'publish.yml of the public repository of the n8n node';
const workflows = [
  ...files.map((path) => readWorkflow(path, read(path))),
  readWorkflow(ofThePublicRepository, publicWorkflow(read(release))),
];

describe('the path to users', () => {
  it.each(workflows)('$path lets no foreign code in', (workflow) => {
    expect(workflowFaults(workflow)).toEqual([]);
  });

  it('has one version of each action and of pnpm', () => {
    expect(workflows.length).toBeGreaterThan(4);
    expect(versionFaults(workflows)).toEqual([]);
  });

  it('trusts dependencies with a token in two jobs only, as the release says', () => {
    const trusting = workflows.flatMap((workflow) =>
      jobsThatTrustDependencies(workflow).map((job) => `${workflow.path}: ${job}`),
    );
    expect(trusting).toEqual([`${release}: version`, `${release}: zapier`]);
    const [comment = ''] = read(release).match(/^(?:#.*\n)+/) ?? [];
    const named = [...comment.matchAll(/`(\w+)`/g)].map(([, job]) => job);
    expect(named).toEqual(['version', 'zapier']);
  });

  it('pins the same versions in the public repository as in the release, and nothing else', () => {
    expect(() => publicWorkflow(read(release).replaceAll('actions/upload-artifact', ''))).toThrow(
      'The release does not use actions/upload-artifact, so it names no version of it.',
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
