import * as z from 'zod/mini';

/** Section 2.3. */
export const pagination = z.looseObject({
  cursor: z.nullish(z.string()),
  has_more: z.nullish(z.boolean()),
  total_count: z.nullish(z.number()),
});

/** The position of a page in its list (section 2.3). */
export interface Pagination {
  /** What the `cursor` of the next page takes. */
  cursor?: string | null | undefined;
  /** Whether more records follow. */
  has_more?: boolean | null | undefined;
  /** How many records match in total. */
  total_count?: number | null | undefined;
}

/** One page of a list. A list without pagination is one page with `has_more: false`. */
export interface Page<Item> {
  /** The records of the page. */
  data: Item[];
  /** Its position in the list. */
  pagination: Pagination;
}
