import type { Operations } from '../types/index.ts';
import { campaignRequests } from './campaign-requests.ts';
import { coupons } from './coupons.ts';
import { landingLinks } from './landing-links.ts';
import { screens } from './screens.ts';
import { users } from './users.ts';

// Without a name, the published declarations would spell out every operation.
type Groups = {
  readonly screens: typeof screens;
  readonly coupons: typeof coupons;
  readonly users: typeof users;
  readonly landingLinks: typeof landingLinks;
  readonly campaignRequests: typeof campaignRequests;
};

/** The partner interface: every operation below its resource. Everything else derives from it. */
export const catalogue: Groups = { screens, coupons, users, landingLinks, campaignRequests };

type Member<Record> = Record[keyof Record];
type AnyOperation = Member<{ [Group in keyof Groups]: Member<Groups[Group]> }>;

/** The name of an operation, such as `coupon.create`. */
export type OperationName = keyof Operations;

/** The operations of the catalogue by name. */
export const operations: Operations = Object.fromEntries(
  Object.values(catalogue)
    .flatMap((group): AnyOperation[] => Object.values(group))
    .map((operation) => [operation.name, operation]),
) as { readonly [Op in AnyOperation as Op['name']]: Op };
