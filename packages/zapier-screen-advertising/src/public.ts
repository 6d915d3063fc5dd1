import { createApp } from './app.ts';

/** The variant for publishing: Zapier allows no triggers there that cannot subscribe. */
export default createApp();
