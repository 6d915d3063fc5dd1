import { type RelayOperation, relayContract } from '@screen-advertising/core/relay-contract';
import { Option } from 'commander';
import * as z from 'zod';
import type { OperationId } from '../../log/contract-types.ts';
import { type Command, type Commands, options as known } from './command.ts';

type Said = NonNullable<RelayOperation['commands']>[number];

/** Commands that list and change subscriptions, events and deliveries, from the relay's contract. */
export const recordCommands: Commands = Object.fromEntries(
  Object.values<RelayOperation>(relayContract).flatMap((operation) =>
    (operation.commands ?? []).map((said) => [said.words, commandOf(operation, said)]),
  ),
);

function commandOf(operation: RelayOperation, said: Said): Command {
  const { does, takes, fixed, options: names = [] } = said;
  const isById = operation.path.includes('{id}');
  const inputs = names.map((name) => ({ name, option: optionOf(operation, name, said) }));
  return {
    does,
    takes: isById ? ['ID'] : takes ? [takes[0]] : [],
    options: [...inputs.map(({ option }) => option), known.source],
    run: ({ operate }, [argument = ''], given) => {
      const texts: Readonly<Record<string, unknown>> = given;
      const ofOptions = inputs.map(({ name, option }) => [name, texts[option.attributeName()]]);
      return operate(operation.id as OperationId, {
        ...Object.fromEntries(ofOptions),
        ...(isById && { id: argument }),
        ...(takes && { [takes[1]]: argument }),
        ...fixed,
        source: given.source,
      } as never);
    },
  };
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
