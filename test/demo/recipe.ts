import { equal } from 'node:assert/strict';
import type { Sandbox } from '@screen-advertising/sandbox';
import type { Outcome } from '../recipes/automation.ts';
import { directly } from '../recipes/direct-route.ts';
import { openWorkflow } from '../recipes/n8n-workflow.ts';
import { openZap } from '../recipes/zapier/zap.ts';
import { readQrCode } from '../support/read-qr-code.ts';
import type { Narrator } from './narrator.ts';

const recipe = 'screens-near-new-lead';
const lead = { id: 'cr_0900', email: 'new.lead@example.com', city: 'Berlin' };

/** The workflow file of the n8n package, and the Zap that the guide describes. */
const builds = { "n8n's engine": openWorkflow, "Zapier's platform": openZap };

/** From a campaign request to an email with the screens nearby, and a link as a QR code. */
export async function offerScreensNearby(
  narrator: Narrator,
  sandbox: Sandbox,
  baseUrl: string,
): Promise<void> {
  narrator.chapter('A recipe: screens near a new lead');
  for (const [title, open] of Object.entries(builds)) {
    sandbox.reset();
    const automation = await open(recipe, sandbox, baseUrl, directly(sandbox));
    try {
      const email = await narrator.step(
        `A lead from ${lead.city} gets an email through ${title}`,
        async () => emailOf(await automation.happen('campaign_request.created', lead)),
        ({ body }) => body,
      );
      await narrator.step(
        'Its QR code is scanned',
        async () => scanned(email),
        (link) => `leads to ${link}`,
      );
    } finally {
      await automation.close();
    }
  }
}

interface Email {
  readonly body: string;
  readonly picture: File;
}

function emailOf([outcome]: readonly Outcome[]): Email {
  const { handedOver: [email] = [], files: [picture] = [], failure } = outcome ?? {};
  if (failure !== undefined) throw new Error(failure);
  if (!email || !picture) throw new Error('There is no email with a QR code.');
  return { body: String(email.Body), picture };
}

/** The code must lead where the link in the text does. */
async function scanned({ body, picture }: Email): Promise<string> {
  const text = await readQrCode({ mimeType: picture.type, bytes: await picture.bytes() });
  equal(text, /https?:\S+$/.exec(body)?.[0]);
  return text;
}
