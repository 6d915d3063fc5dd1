import { createApp } from './app.ts';

/** The variant that can be published: Zapier allows triggers without a subscription in no public app. */
export default createApp();
