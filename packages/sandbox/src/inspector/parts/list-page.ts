import type { Html, InspectorPage, View } from '../view.ts';
import { live, table } from './sections.ts';

interface List<Item> extends Omit<InspectorPage, 'content'> {
  readonly columns: readonly string[];
  /** All records, oldest first. */
  items(view: View): Item[];
  row(item: Item, view: View): readonly (Html | string | number)[];
  /** Shown while there are no records. */
  readonly empty: string;
}

/** A page with one table of records, newest first. */
export function listPage<Item>({ columns, items, row, empty, ...page }: List<Item>): InspectorPage {
  const name = page.title;
  return {
    ...page,
    content(view) {
      const rows = items(view)
        .reverse()
        .map((item) => row(item, view));
      return live('records', table({ name, columns, rows, empty }));
    },
  };
}
