import { createHmac } from 'node:crypto';
import type { Operation } from '@screen-advertising/core';
import type { Fields } from './tool.ts';

/** Generates the name under which a record is created when the caller gives none. */
export type KeyMaker = (operation: Operation, input: Fields) => string;

/** Leaves out the letters and digits that people mix up. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const length = 12;
const dayLength = 'YYYY-MM-DD'.length;

/**
 * The same key for the same arguments on the same day (UTC), so that a duplicate call finds the
 * record that the first one created. MCP has no call IDs, so this is the closest it gets to "the
 * same call". `secret` makes the keys of different accesses differ and keeps them unguessable.
 */
export function keyMaker(secret: string, now: () => Date): KeyMaker {
  return ({ name }, input) => {
    const identity = JSON.stringify([name, now().toISOString().slice(0, dayLength), sorted(input)]);
    const digest = createHmac('sha256', secret).update(identity).digest();
    return [...digest.subarray(0, length)].map((byte) => alphabet[byte % 32]).join('');
  };
}

/** Models write the members of an object in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([key, member]) => [key, sorted(member)]);
}
