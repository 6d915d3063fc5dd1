import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** A change of the product that a test should notice. */
export interface Fault {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  /** When it was drawn. */
  readonly line: number;
  /** Whole lines that the file has once. */
  readonly before: string;
  readonly after: string;
  /** A test file that failed; undefined if none did. */
  noticedBy?: string;
  /** Why no test can notice it. */
  equivalent?: string;
}

export interface FaultList {
  readonly faults: Fault[];
}

const file = path.join(import.meta.dirname, 'faults.json');

/** Whether the checkout has these lines, once: sources change after a draw. */
export function isThere({ file: source, before }: Fault, root: string): boolean {
  const place = path.join(root, source);
  return existsSync(place) && readFileSync(place, 'utf8').split(before).length === 2;
}

export function readList(): FaultList {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function writeList(list: FaultList): void {
  writeFileSync(file, `${JSON.stringify(list, undefined, 2)}\n`);
}
