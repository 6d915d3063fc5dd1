import * as z from 'zod';

/** Section 2.3. `cursor` is what the next page's `cursor` parameter takes. */
export const pagination = z.looseObject({
  cursor: z.string().nullish(),
  has_more: z.boolean().nullish(),
  total_count: z.number().nullish(),
});

export type Pagination = z.output<typeof pagination>;

/** One page of a list; a list that came without pagination is one page with `has_more: false`. */
export interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}
