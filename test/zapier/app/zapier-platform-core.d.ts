import 'zapier-platform-core';

declare module 'zapier-platform-core' {
  /** Zapier's own entry point to an app, missing from its types. */
  export function createAppHandler(
    app: object,
  ): (event: Readonly<Record<string, unknown>>) => Promise<{ results: unknown }>;
}
