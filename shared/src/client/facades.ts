import type * as z from 'zod/mini';
import { operations } from '../catalogue/index.ts';
import type { Operation } from '../catalogue/operation.ts';
import type { Answer } from './answer.ts';
import type { Call, CallOptions } from './call.ts';

export type Facades = ReturnType<typeof facades>;

/** One method per operation, for programs. */
export function facades(call: Call) {
  const run =
    <Op extends Operation>(operation: Op) =>
    (input: z.input<Op['input']>, options?: CallOptions): Promise<Answer<Op>> =>
      call(operation, input, options);
  const list =
    <Op extends Operation>(operation: Op) =>
    (input?: z.input<Op['input']>, options?: CallOptions): Promise<Answer<Op>> =>
      call(operation, input ?? ({} as z.input<Op['input']>), options);
  return {
    screens: {
      list: list(operations['screen.list']),
      get: run(operations['screen.get']),
      availability: run(operations['screen.availability']),
    },
    coupons: {
      create: run(operations['coupon.create']),
      get: run(operations['coupon.get']),
      revoke: run(operations['coupon.revoke']),
    },
    users: { lookup: run(operations['user.lookup']) },
    landingLinks: { create: run(operations['landingLink.create']) },
    campaignRequests: {
      list: list(operations['campaignRequest.list']),
      get: run(operations['campaignRequest.get']),
    },
  } as const;
}
