import { createApp } from './app.ts';

/** The variant that can be published: Zapier allows no triggers there that cannot subscribe. */
export default createApp();
