import { parseArgs } from 'node:util';
import { ConfigurationError } from '@screen-advertising/core';
import { accessVariables } from '@screen-advertising/core/platform';
import { relayVariables } from '@screen-advertising/core/relay';

export type Environment = Readonly<Record<string, string | undefined>>;

export const tokenVariable = 'SCREEN_ADVERTISING_MCP_TOKEN';
const largestPort = 65_535;
const shortestToken = 16;

export const help = `Usage: screen-advertising-mcp [options]

An MCP server for the Screen Advertising service, over standard input and output.

  --read-only     offers no tools that create or revoke
  --http <port>   serves streamable HTTP on this local port instead, such as 8789
  --with-sandbox  starts a sandbox and uses it
  -h, --help      shows this help

Environment variables (arguments would show in process lists):
  ${Object.values(accessVariables).join('\n  ')}
  ${Object.values(relayVariables).join('\n  ')}, for the events that a relay stored
  ${tokenVariable}, with --http: the bearer token that clients send
`;

const known = {
  help: { type: 'boolean', short: 'h' },
  'read-only': { type: 'boolean' },
  'with-sandbox': { type: 'boolean' },
  http: { type: 'string' },
} as const;

/** Parses the command line. Throws ConfigurationError that says what to write instead. */
export function readArguments(args: readonly string[], env: Environment) {
  const { http, ...flags } = parse(args);
  const isServing = http !== undefined && !flags.help;
  return { ...flags, http: isServing ? { port: portOf(http), token: tokenOf(env) } : undefined };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch {
    // Node's message quotes what was typed, which may be a secret in the wrong place.
    throw wrong('arguments', 'Unknown argument. Run with --help for usage.');
  }
}

function portOf(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= largestPort) return Number(text);
  throw wrong('http', `--http takes a port: a whole number from 0 to ${largestPort}.`);
}

function tokenOf(env: Environment): string {
  const token = env[tokenVariable] ?? '';
  if (token.length >= shortestToken && !/\s/.test(token)) return token;
  const words = `Set ${tokenVariable} to a secret of at least ${shortestToken} characters without spaces, such as what "openssl rand -hex 24" prints. Clients send it as their bearer token.`;
  throw wrong(tokenVariable, words);
}

function wrong(field: string, message: string): ConfigurationError {
  return new ConfigurationError(field, message);
}
