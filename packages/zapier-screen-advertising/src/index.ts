import { createApp } from './app.ts';
import { eventTriggers } from './triggers/events.ts';

/** The private variant: everything, with the triggers that the service calls. */
export default createApp(eventTriggers);
