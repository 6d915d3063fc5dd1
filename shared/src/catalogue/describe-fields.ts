import * as z from 'zod/mini';

/** What a schema says of one of its fields. Like JSON Schema, whose makers are large to bundle. */
export interface DescribedField {
  readonly name: string;
  readonly required: boolean;
  readonly title?: string;
  readonly description?: string;
  /** As zod names it: `string`, `number`, `boolean`, `enum`, and so on. */
  readonly type: string;
  /** As zod names it: `email`, `date`, `safeint`. */
  readonly format?: string | undefined;
  readonly values: readonly string[];
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly examples?: readonly unknown[];
  readonly 'x-labels'?: Readonly<Record<string, string>>;
}

interface Definition {
  readonly type: string;
  readonly format?: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly entries?: Readonly<Record<string, string>>;
  readonly checks?: readonly z.core.$ZodCheck[];
  /** The schema that an optional one wraps. */
  readonly innerType?: z.ZodMiniType;
}

/** The fields of an object, in its order; none of a record whose fields the caller names. */
export function describeFields(schema: z.ZodMiniType): DescribedField[] {
  return Object.entries(definitionOf(schema).shape ?? {}).map(([name, field]) => ({
    name,
    required: field._zod.optin === undefined,
    ...describe(field),
  }));
}

type Description = Omit<DescribedField, 'name' | 'required'>;

/** What a schema says of itself, through everything that wraps it. */
export function describe(schema: z.ZodMiniType): Description {
  const { type, format, entries = {}, checks, innerType } = definitionOf(schema);
  const own: Description = innerType
    ? describe(innerType)
    : {
        type,
        format,
        values: Object.values(entries),
        minimum: limitOf('greater_than', checks),
        maximum: limitOf('less_than', checks),
      };
  return { ...own, ...(z.globalRegistry.get(schema) as object) };
}

function definitionOf(schema: z.ZodMiniType): Definition {
  return schema._zod.def as unknown as Definition;
}

function limitOf(check: string, checks: Definition['checks'] = []): number | undefined {
  const definitions = checks.map(
    ({ _zod }) => _zod.def as { check: string; value?: number; inclusive?: boolean },
  );
  return definitions.find((one) => one.check === check && one.inclusive)?.value;
}
