import type { Exchange } from '../http/exchange.ts';
import { Refusal } from '../http/refusal.ts';
import type { StateFile } from './state-file.ts';

/**
 * Lets an answer leave once all that it can tell of is on disk. Where nothing can be written, a
 * change is not acknowledged; reading goes on.
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
    if (isChange) return new Refusal(503, 'not-saved', (error as Error).message).toResponse();
  }
  return response;
}
