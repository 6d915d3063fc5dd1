import { createApp } from './app.ts';
import { eventsWithoutRelay } from './triggers/events-without-relay.ts';

/** The private variant: everything, including the triggers whose address a person registers. */
export default createApp(eventsWithoutRelay);
