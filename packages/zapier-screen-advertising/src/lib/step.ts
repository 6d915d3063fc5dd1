import type { ErrorCode, Scope } from '@screen-advertising/core';
import type { PlainInputField } from 'zapier-platform-core';

/** A trigger, search or create as its owner knows it from the editor; errors use these names. */
export interface Step {
  readonly label: string;
  /** The access needs any one of these. */
  readonly scopes: readonly Scope[];
  readonly fields: PlainInputField[];
  /**
   * What to do about an error code of the client, where this step knows better than the default.
   */
  readonly advice?: Partial<Record<ErrorCode, string>>;
}
