import { compoundOperations } from '@screen-advertising/core/availability';
import { formFields } from '@screen-advertising/core/forms';

/** Named like the webhook events, so that a workflow can change from one trigger to the other. */
export const requestCreatedEventName = 'campaign_request.created';

/** A screen that the list of the service did not have before. */
export const screenListedEventName = 'screen.listed';

/** The parameter with the events of a relay: n8n's node panel fills in the other one, `events`. */
export const relayEventsParameter = 'relayEvents';

/** `campaign_request.rejected` and so on. */
export const requestStatusEventName = (status: string): string => `campaign_request.${status}`;

/** `screen.availability_rises_above` and `screen.availability_falls_below`. */
export const crossingEventName = (change: string): string => `screen.availability_${change}`;

/** The directions in which an availability can cross a threshold, one after the other. */
export const thresholdCrossings = (
	formFields(compoundOperations['screen.availabilityChanged']).find(({ name }) => name === 'change')
		?.choices ?? []
).filter(({ value }) => value !== 'either');

/** The names of its events, in that order. */
export const crossingEventNames = thresholdCrossings.map(({ value }) => crossingEventName(value));
