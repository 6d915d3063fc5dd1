import type { EventName } from '@screen-advertising/core';

export type Fields = Readonly<Record<string, unknown>>;

/** The outcome of one run of a recipe. */
export interface Outcome {
  /** What the last step passed to the email program or the spreadsheet, one record each. */
  readonly handedOver: readonly Fields[];
  /** The files attached to it, if any. */
  readonly files?: readonly File[];
  /** What a person sees of a failed run. */
  readonly failure?: string;
}

/** A recipe on one of the platforms, built from its workflow file or from the steps of its page. */
export interface Automation {
  /** The runs that the event starts, once all are done. */
  happen(event: EventName, data: Fields): Promise<Outcome[]>;
  /** The runs that a problem of the relay starts, once all are done. */
  relayHasProblem(): Promise<Outcome[]>;
  /** The route delivers the newest event again; returns the runs that this starts. */
  deliverAgain(): Promise<Outcome[]>;
  /** A run of a recipe that a schedule or a person starts, with the rows of their list. */
  start(rows?: readonly Fields[]): Promise<Outcome>;
  close(): Promise<void>;
}
