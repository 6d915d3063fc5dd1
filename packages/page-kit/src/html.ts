import type { html } from 'hono/html';

/** Already escaped: values in templates never become markup. */
export type Html = ReturnType<typeof html>;
