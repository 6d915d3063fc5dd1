import { type RelayOperation, relayContract } from '@screen-advertising/core/relay-contract';
import { Option } from 'commander';
import * as z from 'zod';
import type { OperationId } from '../../base/contract.ts';
import type { Add, WithRelay } from './with-relay.ts';

type Said = NonNullable<RelayOperation['commands']>[number];

/** Every such command has it. */
export const ofSource = ['--source <name>', 'name of a source (default: all)'] as const;

/** Commands that list and change subscriptions, events and deliveries, from the relay's contract. */
export function addRecordCommands(add: Add, using: WithRelay): void {
  for (const operation of Object.values<RelayOperation>(relayContract)) {
    for (const said of operation.commands ?? []) addCommand(add, using, operation, said);
  }
}

function addCommand(add: Add, using: WithRelay, operation: RelayOperation, said: Said): void {
  const byId = operation.path.includes('{id}') ? (['ID', 'id'] as const) : undefined;
  const [argument, field] = byId ?? said.takes ?? [];
  const inputs = (said.options ?? []).map((name) => {
    return { name, option: optionOf(operation, name, said) };
  });
  const command = add(said.words, said.does);
  if (argument !== undefined) command.argument(argument);
  for (const { option } of inputs) command.addOption(option);
  command.option(...ofSource).action(
    using(({ relay }) => {
      const texts = command.opts();
      const ofOptions = inputs.map(({ name, option }) => [name, texts[option.attributeName()]]);
      return relay.operate(
        operation.id as OperationId,
        {
          ...Object.fromEntries(ofOptions),
          ...(field && { [field]: command.args[0] }),
          ...said.fixed,
          source: texts.source,
        } as never,
      );
    }),
  );
}

/** Of an input, by its name: `--max-concurrency <count>`. */
function optionOf({ input, fields = {} }: RelayOperation, name: string, said: Said): Option {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
  const property = properties[name];
  const { type, description } = typeof property === 'object' ? property : {};
  const flag = `--${name.replace(/_id$/, '').replaceAll('_', '-')}`;
  const text = fields[name] ?? description ?? '';
  const option = (value: string) => new Option(`${flag}${value}`, text);
  if (type === 'boolean') return option('');
  if (type === 'array') return option(' <list>').argParser(readList);
  if (type === 'integer') {
    return option(' <count>')
      .argParser(Number)
      .makeOptionMandatory(said.requires === name);
  }
  return option(' <text>');
}

/** Separated by commas. */
function readList(text: string): string[] {
  return text.split(/[ ,]+/).filter((one) => one !== '');
}
