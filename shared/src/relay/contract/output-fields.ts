import * as z from 'zod/mini';
import { meta } from './input-fields.ts';

export type Shape = Readonly<Record<string, z.ZodMiniType>>;

export const described = <Schema extends z.ZodMiniType>(description: string, schema: Schema) =>
  schema.check(meta({ description }));
export const object = <Fields extends Shape>(description: string, fields: Fields) =>
  described(description, z.object(fields));
export const text = (description: string) => described(description, z.string());
export const textOrNull = (description: string) => described(description, z.nullable(z.string()));
export const flag = (description: string) => described(description, z.boolean());
export const count = (description: string) => described(description, z.int());
export const moment = (description: string, title = '') =>
  z.iso.datetime().check(meta({ ...(title && { title }), description }));
export const matching = (pattern: string, description: string, title = '') =>
  z.string().check(z.regex(new RegExp(pattern)), meta({ ...(title && { title }), description }));
export const idFor = (prefix: string, what: string, title = '') =>
  matching(`^${prefix}_[0-9a-f]{32}$`, `ID of ${what}`, title);
