import type { AuthField } from 'zapier-platform-core';
import listing from '../../../listing.json' with { type: 'json' };

/** The page that the connection form links to: it says where to get credentials. */
const helpLink = `[How to connect](${listing.help})`;

/** The form of a connection. */
export const connectionFields: readonly AuthField[] = [
  {
    key: 'base_url',
    label: 'Base URL',
    type: 'string',
    required: true,
    isNoSecret: true,
    placeholder: 'https://service.example/api/v1',
    helpText: `Address of the service, ending in /api/v1. The Screen Advertising team sends it with your credentials. ${helpLink}`,
  },
  {
    key: 'client_id',
    label: 'Client ID',
    type: 'string',
    required: false,
    helpText: `Enter a client ID and client secret, or an API key. The Screen Advertising team issues them. ${helpLink}`,
  },
  {
    key: 'client_secret',
    label: 'Client Secret',
    type: 'password',
    required: false,
    helpText: `The secret issued with the client ID. ${helpLink}`,
  },
  {
    key: 'api_key',
    label: 'API Key',
    type: 'password',
    required: false,
    helpText: `Starts with svc_ and replaces client ID and client secret. The Screen Advertising team issues it. ${helpLink}`,
  },
  {
    key: 'coupon_key',
    label: 'Coupon Key',
    type: 'password',
    required: false,
    helpText: `Text of at least 16 characters from which the codes of coupons follow. Without it, new credentials do not find earlier coupons. ${helpLink}`,
  },
];

/** The limit of an access is 600 requests per minute by default (section 8). */
export const rateLimitField: AuthField = {
  key: 'rate_limit',
  label: 'Requests per Minute',
  type: 'integer',
  required: false,
  isNoSecret: true,
  helpText: `Rate limit of your access. Leave empty for 600, unless the Screen Advertising team granted you another one. ${helpLink}`,
};

/** Only event triggers need them. */
export const relayFields: readonly AuthField[] = [
  {
    key: 'relay_base_url',
    label: 'Relay Base URL',
    type: 'string',
    required: false,
    isNoSecret: true,
    placeholder: 'https://relay.example',
    helpText: `Address of your relay, for instant triggers such as Coupon Redeemed. Leave empty if you have no relay. ${helpLink}`,
  },
  {
    key: 'connector_key',
    label: 'Connector Key',
    type: 'password',
    required: false,
    helpText: `Starts with rly_. The relay shows it once, when you create it. ${helpLink}`,
  },
];

/** Seconds: the service stops retrying 756 s after an event, and Zapier may hold deliveries. */
export const defaultTolerance = 1200;

/** Only triggers that the service calls directly need them. */
export const signingFields: readonly AuthField[] = [
  {
    key: 'signing_secret',
    label: 'Signing Secret',
    type: 'password',
    required: false,
    helpText: `Only for triggers labeled Manual Setup. The Screen Advertising team issues it when registering your webhook address. ${helpLink}`,
  },
  {
    key: 'previous_signing_secret',
    label: 'Previous Signing Secret',
    type: 'password',
    required: false,
    helpText: `Only while you replace the signing secret. Deliveries signed with either secret are accepted. ${helpLink}`,
  },
  {
    key: 'signature_tolerance',
    label: 'Signature Tolerance in Seconds',
    type: 'integer',
    required: false,
    helpText: `Maximum age of a signature. The last retry arrives 756 seconds after the event, so a lower value may lose events. Default: ${defaultTolerance}. ${helpLink}`,
  },
];

export const nameField: AuthField = {
  key: 'connection_name',
  label: 'Connection Name',
  type: 'string',
  required: false,
  isNoSecret: true,
  helpText: `Name shown in lists of connections. Default: the host of the Base URL with the client ID, or the end of the API key. ${helpLink}`,
};

/** Everything that a person fills in. */
export const formFields: readonly AuthField[] = [
  ...connectionFields,
  ...relayFields,
  ...signingFields,
  nameField,
];

/** The fields that the session adds to a connection. */
export const sessionFields: readonly AuthField[] = [
  { key: 'access_token', label: 'Access Token', type: 'password', required: false, computed: true },
  { key: 'renew_at', label: 'Renew At', type: 'string', required: false, computed: true },
  { key: 'doubt_from', label: 'Doubt From', type: 'string', required: false, computed: true },
  { key: 'is_early', label: 'Is Early', type: 'string', required: false, computed: true },
];
