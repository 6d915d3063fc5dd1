import {
  type IgnoredReason,
  ignoredHeaderName,
  ignoredReasons,
} from '@screen-advertising/core/webhooks';
import type { Posted } from './post.ts';

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Why a target that responded with 2xx did nothing; null if it did not say so. */
export function ignoredReason({ response }: Pick<Posted, 'response'>): IgnoredReason | null {
  const said = response?.headers[ignoredHeaderName];
  return ignoredReasons.find((reason) => reason === said) ?? null;
}
