import type { Exchange } from '../http/exchange.ts';
import { ProblemResponseError } from '../problems/problem-response-error.ts';
import type { StateFile } from './state-file.ts';

/**
 * Sends a response only after everything it may report is on disk. If the file cannot be written, a
 * change gets an error, while reads still work.
 */
export async function acknowledge(
  { method }: Exchange,
  response: Response,
  stateFile: StateFile,
): Promise<Response> {
  const isChange = !['GET', 'HEAD'].includes(method) && response.status < 400;
  if (isChange) stateFile.changed();
  try {
    await stateFile.saved();
  } catch (error) {
    if (isChange)
      return new ProblemResponseError('not-saved', (error as Error).message).toResponse();
  }
  return response;
}
