import { withinTime } from './within-time.ts';

/** All records of a list, within the time of one run. `list` hands the signal to the client. */
export function collect<Item>(
  title: string,
  list: (signal: AbortSignal) => AsyncIterable<Item>,
): Promise<Item[]> {
  return withinTime(title, async (signal) => {
    const items: Item[] = [];
    for await (const item of list(signal)) items.push(item);
    return items;
  });
}
