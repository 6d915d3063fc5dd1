import type { TransportResponse } from '@screen-advertising/core';
import type { BeforeRequestMiddleware } from 'zapier-platform-core';

/** Zapier's core hands every response to its log, in this form. */
interface LoggedResponse {
  readonly response_status_code: number;
  readonly response_headers: Headers;
  readonly response_content: string;
}

/** The parts of a request that Zapier's core adds, and its types leave out. */
interface InternalRequest {
  readonly raw?: boolean;
  readonly input?: {
    readonly _zapier?: {
      readonly logger: (message: string, data: LoggedResponse) => Promise<unknown>;
    };
  };
  readonly middlewareData?: { readonly onRefused?: unknown };
}

/** Asks for the response of a request that ends with status 401. */
export const onRefused = (keep: (response: TransportResponse) => void) => ({
  middlewareData: { onRefused: keep },
});

/**
 * Zapier's core throws an error without text for every 401, before the app sees the response. Only
 * its log gets what the service says, so this listens there.
 */
export const noteRefused: BeforeRequestMiddleware = (request) => {
  const { input, middlewareData, raw } = request as InternalRequest;
  const log = input?._zapier?.logger;
  const keep = middlewareData?.onRefused;
  if (!log || typeof keep !== 'function' || raw) return request;
  const logger: typeof log = (message, data) => {
    const { response_status_code: status, response_headers, response_content: body } = data;
    if (status === 401) keep({ status, headers: Object.fromEntries(response_headers), body });
    return log(message, data);
  };
  return { ...request, input: { ...input, _zapier: { ...input._zapier, logger } } };
};
