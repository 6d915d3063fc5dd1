import { type CampaignRequest, operations, type Screen } from '@screen-advertising/core';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { clientFor, once } from './client.ts';
import { isRecord } from './found-fields.ts';
import { deadlineMs } from './limits.ts';

/** A screen as the service sends it now. */
export async function exampleScreen(z: ZObject, bundle: Bundle): Promise<Screen | undefined> {
  const list = operations['screen.list'];
  const { data } = await clientFor(z, bundle, once).call(list, { limit: 1 }, { deadlineMs });
  return data[0];
}

/** The same for records that contain the screen they describe, with its ID in a separate field. */
export async function exampleOfScreen(z: ZObject, bundle: Bundle): Promise<object | undefined> {
  const example = await exampleScreen(z, bundle);
  if (!isRecord(example)) return undefined;
  const { id: _known, ...screen } = example;
  return { screen };
}

/** One of the access's own campaign requests as the service sends it now. */
export async function exampleCampaignRequest(
  z: ZObject,
  bundle: Bundle,
): Promise<CampaignRequest | undefined> {
  const list = operations['campaignRequest.list'];
  const { data } = await clientFor(z, bundle, once).call(list, {}, { deadlineMs });
  return data[0];
}
