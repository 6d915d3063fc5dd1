import type { ErrorCode, Scope } from '@screen-advertising/core';
import type { PlainInputField } from 'zapier-platform-core';

/** A trigger, search or create as its owner knows it from the editor: errors speak of it so. */
export interface Step {
  readonly label: string;
  /** The access needs any one of these. */
  readonly scopes: readonly Scope[];
  readonly fields: PlainInputField[];
  /** What to do about a code of the client's, where this step knows better than others. */
  readonly advice?: Partial<Record<ErrorCode, string>>;
}
