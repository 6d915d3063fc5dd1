import type * as z from 'zod';
import type { RelayContext } from '../context.ts';
import type { ResponseName } from '../records/response-schemas.ts';
import type { Need, Scope } from '../records/rights.ts';
import type { Caller } from './authenticate.ts';

export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 429 | 503;

/** A route for machines, as the OpenAPI document describes it. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** In the API, which rights its caller needs. */
  readonly need?: Need;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Success statuses. Those without a schema name have no body. */
  readonly success: Readonly<Record<number, ResponseName | undefined>>;
  /** In the API, those in addition to what its path, query, and body can cause. */
  readonly problems?: readonly ProblemStatus[];
}

/** An authenticated request. */
export interface Call<Query extends z.ZodObject, Body extends z.ZodObject> {
  readonly context: RelayContext;
  readonly caller: Caller;
  readonly scope: Scope;
  /** The one in the path. */
  readonly id: string;
  readonly query: z.output<Query>;
  readBody(): Promise<z.output<Body>>;
  /** Default: the lowest success status. */
  setStatus(status: 201): void;
}

/** An operation below /api/v1, with what carries it out. */
export interface ApiOperation<
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodObject = z.ZodObject,
  Result extends object | undefined = object | undefined,
> extends Operation {
  readonly need: Need;
  readonly query?: Query;
  readonly body?: Body;
  /** Returns the body of the response, if it has one. */
  handle(call: Call<Query, Body>): Result | Promise<Result>;
}

type Nothing = z.ZodObject<Record<never, never>>;

/** Gives `handle` the types of the operation's query and body. */
export function operation<
  Query extends z.ZodObject = Nothing,
  Body extends z.ZodObject = Nothing,
  Result extends object | undefined = undefined,
>(definition: ApiOperation<Query, Body, Result>): ApiOperation<Query, Body, Result> {
  return definition;
}
