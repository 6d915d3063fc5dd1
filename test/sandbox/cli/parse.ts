import {
  type CommandActions,
  createCommandLine,
} from '../../../packages/sandbox/src/cli/program.ts';

/** What a command line would do, with the name of its action, or what it prints instead. */
export function parse(args: readonly string[]): { did?: unknown; printed: string } {
  const parsed: { did?: unknown; printed: string } = { printed: '' };
  const write = (text: string) => {
    parsed.printed += text;
  };
  const does =
    (name: keyof CommandActions) =>
    async (...given: readonly unknown[]) => {
      parsed.did = { [name]: given };
    };
  const actions = { serve: does('serve'), fire: does('fire'), openapi: does('openapi') };
  try {
    createCommandLine(actions, { write, writeError: write }).parse(args, { from: 'user' });
  } catch {
    // Printed.
  }
  return parsed;
}

/** The helps of all commands. */
export function helps(): string {
  return [[], ['fire'], ['openapi']].map((name) => parse([...name, '--help']).printed).join('\n');
}
