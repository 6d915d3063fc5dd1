import type { Relay } from '../relay.ts';
import { RelayError } from '../relay-error.ts';

export interface FirstSource {
  readonly name: string;
  /** The signing secret of the access. Default: the source waits for it. */
  readonly signingSecret?: string | undefined;
}

/**
 * Creates the first source and a connector key, unless the source exists. Returns the key, which
 * cannot be read again.
 */
export async function addFirstSource(
  { sources, tokens }: Relay,
  { name, signingSecret }: FirstSource,
): Promise<string | undefined> {
  try {
    await sources.add(name, signingSecret);
  } catch (error) {
    // The source exists, or another process that started at the same moment created it.
    if (error instanceof RelayError && error.code === 'conflict') return undefined;
    throw error;
  }
  return (await tokens.create(name, 'first')).connectorKey;
}
