import type { ErrorCode, WebhookFailureReason } from '@screen-advertising/core';

/** The compiler refuses one that is missing, and one that is gone. */
const codes: Readonly<Record<ErrorCode, true>> = {
  invalid_configuration: true,
  invalid_input: true,
  authentication_failed: true,
  missing_scope: true,
  invalid_request: true,
  not_found: true,
  conflict: true,
  rate_limited: true,
  service_error: true,
  unexpected_response: true,
  network_error: true,
  timeout: true,
  outcome_unknown: true,
  webhook_verification_failed: true,
};

const reasons: Readonly<Record<WebhookFailureReason, true>> = {
  missing_signature: true,
  malformed_signature: true,
  timestamp_out_of_tolerance: true,
  signature_mismatch: true,
  malformed_body: true,
  invalid_argument: true,
};

export const errorCodes = Object.keys(codes);
export const failureReasons = Object.keys(reasons);
