import { Refusal } from './refusal.ts';

/** PostgreSQL shuts down, starts, is out of connections, cannot be reached, or stopped answering. */
const awayCodes = /^(?:57P0[1-5]|53300|08\w{3}|E[A-Z]+|40001)$/;
const awayMessages = /timeout|terminated|Connection|closed|not queryable/i;

/** What no request may cause, and a database that is away, as a problem document. */
export function toProblem(error: unknown, report: (error: unknown) => void): Response {
  if (error instanceof Refusal) return error.toResponse();
  report(error);
  if (isAway(error)) {
    return new Refusal(
      503,
      'unavailable',
      'The database of the relay does not respond. Retry in 5 s.',
    ).toResponse();
  }
  return new Refusal(500, 'internal-error', 'The relay failed. Its log says why.').toResponse();
}

function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return awayCodes.test(code) || (code === '' && awayMessages.test(message));
}
