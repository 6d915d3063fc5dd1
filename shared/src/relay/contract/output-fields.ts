import * as z from 'zod/mini';
import { meta } from './input-fields.ts';

export type Shape = Readonly<Record<string, z.ZodMiniType>>;

export const object = <Fields extends Shape>(description: string, fields: Fields) =>
  z.object(fields).check(meta({ description }));
export const text = (description: string) => z.string().check(meta({ description }));
export const textOrNull = (description: string) =>
  z.nullable(z.string()).check(meta({ description }));
export const flag = (description: string) => z.boolean().check(meta({ description }));
export const count = (description: string) => z.int().check(meta({ description }));
export const moment = (description: string, title = '') =>
  z.iso.datetime().check(meta({ ...(title && { title }), description }));
export const matching = (pattern: string, description: string, title = '') =>
  z.string().check(z.regex(new RegExp(pattern)), meta({ ...(title && { title }), description }));
export const idFor = (prefix: string, what: string, title = '') =>
  matching(`^${prefix}_[0-9a-f]{32}$`, `ID of ${what}`, title);
