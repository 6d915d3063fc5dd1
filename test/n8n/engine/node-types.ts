import type { INodeProperties, INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';
import { coreNodes } from './core-nodes.ts';
import { packageName } from './load-package.ts';
import { n8nWorkflow } from './n8n.ts';

/** Starts a workflow with the given items. */
const start: INodeType = {
  description: {
    displayName: 'Start',
    name: 'start',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow with the items it is handed',
    defaults: { name: 'Start' },
    inputs: [],
    outputs: ['main'],
    properties: [],
  },
  async execute() {
    return [this.getInputData()];
  },
};

export const startType = 'engine.start';

/**
 * The package's nodes under its name, as n8n registers them, n8n's own nodes, and the start node.
 */
export function nodeTypes(nodes: ReadonlyMap<string, INodeType>): INodeTypes {
  const find = (type: string): INodeType => {
    const name = type.replace(`${packageName}.`, '');
    // n8n gives a node that an AI agent uses this other name.
    const ofPackage = nodes.get(name) ?? nodes.get(name.replace(/Tool$/, ''));
    const node = type === startType ? start : (coreNodes.get(type) ?? ofPackage);
    if (!node) throw new Error(`There is no node of the type ${type}.`);
    return node.description.polling ? withPollTimes(node) : node;
  };
  return {
    getByName: find as (type: string) => INodeType | IVersionedNodeType,
    getByNameAndVersion: find,
    getKnownTypes: () => ({}),
  };
}

/** As n8n adds it to every node that polls. */
const pollTimes: INodeProperties = {
  displayName: 'Poll Times',
  name: 'pollTimes',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  default: { item: [{ mode: 'everyMinute' }] },
  options: n8nWorkflow.cronNodeOptions,
};

function withPollTimes(node: INodeType): INodeType {
  const { description } = node;
  const properties = [pollTimes, ...description.properties];
  return Object.create(node, { description: { value: { ...description, properties } } });
}
