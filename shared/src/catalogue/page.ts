import * as z from 'zod/mini';
import type { KnownFields } from './field-types.ts';

/** Section 2.3. `cursor` is what the next page's `cursor` parameter takes. */
export const pagination = z.looseObject({
  cursor: z.nullish(z.string()),
  has_more: z.nullish(z.boolean()),
  total_count: z.nullish(z.number()),
});

/** The position of a page in its list (section 2.3). */
export interface Pagination extends KnownFields<typeof pagination> {}

/** One page of a list. A list without pagination is one page with `has_more: false`. */
export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}
