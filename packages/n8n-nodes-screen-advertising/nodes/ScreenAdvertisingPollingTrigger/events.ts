/** Named like the webhook events, so that a workflow can change from one trigger to the other. */
export const created = 'campaign_request.created';

/** `campaign_request.rejected` and so on. */
export const statusEvent = (status: string): string => `campaign_request.${status}`;
