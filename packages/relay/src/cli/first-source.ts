import { randomBytes } from 'node:crypto';
import type { Relay } from '../relay.ts';
import { RelayError } from '../relay-error.ts';

export interface FirstSource {
  readonly name: string;
  /** The one of the access; unless given a random one, with which nothing can be forged. */
  readonly signingSecret?: string | undefined;
}

/**
 * Where to begin: a source and a connector key, unless the source is there. Gives the key, which is
 * known this once.
 */
export async function addFirstSource(
  { sources, tokens }: Relay,
  { name, signingSecret = randomBytes(32).toString('hex') }: FirstSource,
): Promise<string | undefined> {
  try {
    await sources.add(name, signingSecret);
  } catch (error) {
    // It was there, or another process that started at the same moment was quicker.
    if (error instanceof RelayError && error.code === 'conflict') return undefined;
    throw error;
  }
  return (await tokens.create(name, 'first')).connectorKey;
}
