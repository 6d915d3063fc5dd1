import { parseArgs } from 'node:util';
import { ConfigurationError } from '@screen-advertising/core';
import { accessVariables } from '@screen-advertising/core/platform';
import { relayVariables } from '@screen-advertising/core/relay';

export type Environment = Readonly<Record<string, string | undefined>>;

export const help = `Usage: screen-advertising-mcp [options]

An MCP server for the Screen Advertising service, over standard input and output.

  --read-only     offers no tools that create or revoke
  --with-sandbox  starts a sandbox and uses it
  -h, --help      shows this help

Environment variables (arguments would show in process lists):
  ${Object.values(accessVariables).join('\n  ')}
  ${Object.values(relayVariables).join('\n  ')}, for the events that a relay stored
`;

const known = {
  help: { type: 'boolean', short: 'h' },
  'read-only': { type: 'boolean' },
  'with-sandbox': { type: 'boolean' },
} as const;

/** Parses the command line. Throws ConfigurationError that says what to write instead. */
export function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch {
    // Node's message quotes what was typed, which may be a secret in the wrong place.
    throw new ConfigurationError('arguments', 'Unknown argument. Run with --help for usage.');
  }
}
