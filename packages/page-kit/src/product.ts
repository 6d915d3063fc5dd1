/** Whose pages these are. */
export interface Product {
  /** For example `relay`. Part of every title. */
  readonly name: string;
  /** The path of its styles, script, icon and actions, such as `/operator`. */
  readonly base: string;
  /** Milliseconds between two refreshes of an open page. */
  readonly refreshMs: number;
  /** An SVG image. */
  readonly icon: string;
  /** CSS for what only its pages have. */
  readonly styles: string;
}
