import { operations } from '@screen-advertising/core';
import { createFromCatalogue } from '../lib/from-catalogue.ts';

/**
 * Zapier may run a step again, and does not identify runs: only the code shows that a run is a
 * retry.
 */
const codeHelp =
  'Your own code for the coupon. With it, replaying this step returns the same coupon. Default: the service generates one in the pattern BVCC-XXXX.';

const metadataHelp =
  'Anything you want to keep with the coupon, such as a CRM ID: names on the left, values on the right.';

export default createFromCatalogue(operations['coupon.create'], {
  extras: { code: { helpText: codeHelp }, lead_metadata: { helpText: metadataHelp } },
  advice: { conflict: 'Use another Code, or revoke the active coupon of the lead first.' },
  callOptions: { adoptExisting: true },
});
