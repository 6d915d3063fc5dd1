import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { IConnections, INode } from 'n8n-workflow';

const root = path.join(import.meta.dirname, '../..');
export const pagesFolder = path.join(root, 'docs/recipes');
export const workflowFolder = path.join(root, 'packages/n8n-nodes-screen-advertising/examples');

/** The page of a recipe, as Markdown. */
export function readPage(recipe: string): string {
  return readFileSync(path.join(pagesFolder, `${recipe}.md`), 'utf8');
}

export interface WorkflowFile {
  readonly name: string;
  readonly nodes: readonly INode[];
  readonly connections: IConnections;
}

/** The workflow that a person imports. */
export function readWorkflow(recipe: string): WorkflowFile {
  return JSON.parse(readFileSync(path.join(workflowFolder, `${recipe}.json`), 'utf8'));
}
