import { setImmediate } from 'node:timers/promises';
import type {
  AssignmentValue,
  FieldType,
  IDataObject,
  INodeExecutionData,
  INodeProperties,
  INodePropertyOptions,
  INodeType,
  NodeOperationError,
} from 'n8n-workflow';
import { n8nWorkflow } from './n8n.ts';

/**
 * Stand-ins for n8n's own nodes that workflows in the tests use. The original package brings
 * hundreds of others with their dependencies. These do the same for the parameters named here, as
 * the end-to-end tests show on a real n8n. n8n's own engine resolves the parameters.
 */
export const coreNodes: ReadonlyMap<string, INodeType> = new Map([
  ['n8n-nodes-base.manualTrigger', passing('manualTrigger', [])],
  ['n8n-nodes-base.scheduleTrigger', passing('scheduleTrigger', [property('rule', {})])],
  ['n8n-nodes-base.stickyNote', passing('stickyNote', ['content', 'height', 'width', 'color'])],
  ['n8n-nodes-base.set', editFields()],
  ['n8n-nodes-base.filter', filter()],
  ['n8n-nodes-base.splitOut', splitOut()],
  ['n8n-nodes-base.stopAndError', stopAndError()],
  ['n8n-nodes-base.dataTable', dataTable()],
  // Nothing runs them here.
  ['@n8n/n8n-nodes-langchain.chatTrigger', passing('chatTrigger', ['options'])],
  ['@n8n/n8n-nodes-langchain.agent', passing('agent', ['options'])],
  ['@n8n/n8n-nodes-langchain.lmChatOpenAi', passing('lmChatOpenAi', ['model', 'options'])],
  ['@n8n/n8n-nodes-langchain.memoryBufferWindow', passing('memory', ['contextWindowLength'])],
]);

/** Passes on its input, like a trigger whose event has happened. */
function passing(name: string, properties: readonly (string | INodeProperties)[]): INodeType {
  return {
    description: described(
      name,
      properties.map((one) => (typeof one === 'string' ? property(one) : one)),
    ),
    async execute() {
      return [this.getInputData()];
    },
  };
}

function editFields(): INodeType {
  return {
    description: described('set', [
      property('mode', 'manual'),
      { ...property('assignments', {}), type: 'assignmentCollection' },
      property('includeOtherFields', false),
      property('options', {}),
    ]),
    async execute() {
      const items = this.getInputData().map(({ json, binary }, item) => {
        const { assignments = [] } = this.getNodeParameter('assignments', item) as {
          assignments?: readonly AssignmentValue[];
        };
        const fields = Object.fromEntries(assignments.map(readAssignment));
        // Without the other fields, files are left out, too.
        const includesOthers = this.getNodeParameter('includeOtherFields', item) === true;
        return {
          json: { ...(includesOthers && json), ...fields } as IDataObject,
          ...(includesOthers && binary && { binary }),
          pairedItem: { item },
        };
      });
      return [items];
    },
  };
}

function readAssignment({ name, value, type = 'string' }: AssignmentValue) {
  if (type === 'string') return [name, String(value)] as const;
  const read = n8nWorkflow.validateFieldType(name, value, type as FieldType);
  if (!read.valid) throw new Error(read.errorMessage);
  return [name, read.newValue] as const;
}

function filter(): INodeType {
  return {
    description: described('filter', [
      {
        ...property('conditions', {}),
        type: 'filter',
        typeOptions: {
          filter: {
            caseSensitive: '={{!$parameter.options.ignoreCase}}',
            typeValidation: 'strict',
            version: 2,
          },
        },
      },
      property('options', {}),
    ]),
    async execute() {
      const kept = this.getInputData().flatMap((item, index) => {
        const isKept = this.getNodeParameter('conditions', index, false, { extractValue: true });
        return isKept === true ? [{ ...item, pairedItem: { item: index } }] : [];
      });
      return [kept];
    },
  };
}

function splitOut(): INodeType {
  return {
    description: described('splitOut', [
      property('fieldToSplitOut'),
      property('include', 'noOtherFields'),
      property('options', {}),
    ]),
    async execute() {
      const items = this.getInputData().flatMap(({ json }, item) => {
        const field = this.getNodeParameter('fieldToSplitOut', item) as string;
        const elements = (json[field] ?? []) as IDataObject[];
        return elements.map((element) => ({ json: { ...element }, pairedItem: { item } }));
      });
      return [items];
    },
  };
}

/** A table with rows that one column finds. Running it again keeps the rows, as n8n does. */
function dataTable(): INodeType {
  const tables = new Map<string, IDataObject[]>();
  return {
    description: described('dataTable', [
      property('resource', 'row'),
      property('operation', 'insert'),
      property('tableName'),
      { ...property('dataTableId', {}), type: 'resourceLocator' },
      property('matchType'),
      property('filters', {}),
      property('columns', {}),
      property('returnAll', false),
      property('limit', 50),
      property('options', {}),
    ]),
    async execute() {
      const run = async (item: number): Promise<IDataObject[]> => {
        const read = (name: string) => this.getNodeParameter(name, item, '');
        if (read('resource') === 'table') {
          const name = String(read('tableName'));
          if (tables.has(name)) return [{ name }];
          // Another execution may create it between the two.
          await setImmediate();
          if (tables.has(name))
            throw new n8nWorkflow.NodeOperationError(this.getNode(), 'Conflict');
          tables.set(name, []);
          return [{ name }];
        }
        const { value } = read('dataTableId') as unknown as { readonly value: string };
        const rows = tables.get(value);
        if (!rows) throw new n8nWorkflow.NodeOperationError(this.getNode(), 'No such table');
        const [condition] = read('filters.conditions') as unknown as {
          readonly keyName: string;
          readonly keyValue: unknown;
        }[];
        const found = rows.filter(
          (row) => condition && row[condition.keyName] === condition.keyValue,
        );
        if (read('operation') === 'get') return found.slice(0, Number(read('limit')));
        const values = read('columns.value') as IDataObject;
        if (found.length === 0) rows.push(values);
        for (const row of found) Object.assign(row, values);
        return [values];
      };
      const items: INodeExecutionData[] = [];
      for (const [item, { json: given }] of this.getInputData().entries()) {
        try {
          for (const json of await run(item))
            items.push({ json: { ...json }, pairedItem: { item } });
        } catch (error) {
          if (!this.continueOnFail()) throw error;
          items.push({ json: given, error: error as NodeOperationError });
        }
      }
      return [items];
    },
  };
}

function stopAndError(): INodeType {
  return {
    description: { ...described('stopAndError', [property('errorMessage')]), outputs: [] },
    async execute() {
      const message = this.getNodeParameter('errorMessage', 0) as string;
      throw new n8nWorkflow.NodeOperationError(this.getNode(), message);
    },
  };
}

function described(name: string, properties: INodeProperties[]): INodeType['description'] {
  return {
    displayName: name,
    name,
    group: ['transform'],
    version: [1, 1.1, 1.2, 2.2, 3.4],
    description: `n8n's node ${name}`,
    defaults: { name },
    inputs: ['main'],
    outputs: ['main'],
    properties,
  };
}

function property(name: string, defaultValue: INodePropertyOptions['value'] | object = '') {
  return {
    displayName: name,
    name,
    type: typeof defaultValue === 'object' ? 'json' : 'string',
    default: defaultValue,
  } as INodeProperties;
}
