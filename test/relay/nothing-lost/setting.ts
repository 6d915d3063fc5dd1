import { secretKey } from '../support/running-relay.ts';

/** Of every relay process that a test kills. */
export const environment = { RELAY_SECRET_KEY: secretKey, RELAY_ALLOW_TARGETS: '127.0.0.1' };
