import * as z from 'zod/mini';
import { near } from '../../src/availability/near-fields.ts';
import { type Member, pascalCase, sentence } from './text.ts';

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly innerType?: z.ZodMiniType;
}

const definitionOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Definition;

/** What a schema, or one that it wraps, says of itself. */
function meta(schema: z.ZodMiniType): z.core.GlobalMeta {
  const { innerType } = definitionOf(schema);
  return { ...(innerType && meta(innerType)), ...z.globalRegistry.get(schema) };
}

/** What a schema says of itself, or else its title. */
export function textOf(schema: z.ZodMiniType): string {
  const { title = '', description = title } = meta(schema);
  return description;
}

/** The name of the interface of a record, after its title. */
export function recordName(output: z.ZodMiniType): string {
  return pascalCase(meta(output).title ?? '');
}

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  unknown: 'unknown',
};

/** The values that a choice allows. */
function valuesOf(schema: z.ZodMiniType): readonly string[] | undefined {
  return (meta(schema) as { enum?: readonly string[] }).enum;
}

const unionOf = (values: readonly string[]) => values.map((value) => `'${value}'`).join(' | ');

/** The choices among the fields of these inputs, by name. */
export function choicesOf(inputs: readonly z.ZodMiniType[]): ReadonlyMap<string, string> {
  const fields = inputs.flatMap((input) => Object.entries(definitionOf(input).shape ?? {}));
  return new Map(
    fields.flatMap(([name, field]) => {
      const values = valuesOf(field);
      return values ? [[name, unionOf(values)] as const] : [];
    }),
  );
}

/** The type of a field as TypeScript writes it. */
function typeOf(schema: z.ZodMiniType): string {
  // It takes any value, and its check reads it.
  if (schema === near) return 'string | Coordinates';
  const { type, innerType, shape = {} } = definitionOf(schema);
  if (innerType) return `${typeOf(innerType)}${type === 'nullable' ? ' | null' : ''}`;
  const values = valuesOf(schema);
  if (values) return unionOf(values);
  if (type === 'object' && Object.keys(shape).length > 0) return recordName(schema);
  if (type === 'object') return 'Record<string, unknown>';
  const name = simple[type];
  if (!name) throw new Error(`No type is known for ${type}.`);
  return name;
}

/**
 * The fields of an object as members of an interface. Every field has its text. Texts of a record
 * that are a choice of an input have those values, and room for others.
 */
export function members(
  schema: z.ZodMiniType,
  choices: ReadonlyMap<string, string> = new Map(),
): Member[] {
  return Object.entries(definitionOf(schema).shape ?? {}).map(([name, field]) => {
    const { description } = meta(field);
    if (!description) throw new Error(`${name} of ${meta(schema).title} has no description.`);
    const isOptional = field._zod.optin !== undefined;
    const choice = choices.get(name);
    const own = typeOf(field);
    const type = choice ? own.replace('string', `${choice} | UnknownValue`) : own;
    return {
      name: isOptional ? `${name}?` : name,
      text: sentence(description),
      type: isOptional && type !== 'unknown' ? `${type} | undefined` : type,
    };
  });
}
