import assert from 'node:assert/strict';
import { before, describe } from 'node:test';
import { definitionOf } from '../../zapier/app/definition.ts';
import type { Definition } from '../../zapier/definition-lint/definition.ts';
import { walkThrough } from './walk.ts';

const recipes = 'test/recipes/recipes.full.test.ts';
const runTwice = 'test/zapier/creates/create-coupon.test.ts';
const near = 'test/platforms/near.test.ts';
const available = 'test/zapier/searches/find-available-screens.test.ts';

/** Zapier's editor needs an account, so a reader's view is what the app defines for it. */
describe('a newcomer follows docs/zapier.md', () => {
  let app: Definition;

  before(async () => {
    app = await definitionOf('private');
  });

  /** The app shows each of these names somewhere. */
  const shows =
    (...names: readonly string[]) =>
    async () => {
      const labels = new Set(labelsOf(app));
      for (const name of names) assert.ok(labels.has(name), `The app has no ${name}.`);
    };
  /** This field of the connection has help that says so. */
  const helps = (label: string, text: string) => async () => {
    const field = app.authentication.fields.find((one) => labelsOf(one).includes(label));
    assert.ok(field?.helpText?.includes(text), `${label}: ${field?.helpText}`);
  };

  walkThrough('docs/zapier.md', {
    'You need:': 'docs/zapier.md',
    'The app.': 'packages/zapier-screen-advertising/README.md',
    "Zapier's directory does not list it yet.": 'docs/submission.md',
    'A colleague who runs a copy can invite you, or you run your own copy.':
      'test/zapier/zapier-cli.full.test.ts',
    'Credentials from the Screen Advertising team.': 'test/zapier/authentication.test.ts',
    'None yet?': 'test/zapier/zapier-cli.full.test.ts',
    'Try the app in a terminal.': 'test/zapier/zapier-cli.full.test.ts',
    'In a Zap, choose Screen Advertising, press Sign in, and enter what the team sent you:':
      shows('Base URL'),
    'Base URL, which ends in /api/v1.': helps('Base URL', 'ending in /api/v1'),
    'API Key, which starts with svc_, or Client ID and Client Secret.': async () => {
      await helps('API Key', 'Starts with svc_')();
      await shows('Client ID', 'Client Secret')();
    },
    'Leave the other fields empty until you receive events.': 'test/zapier/lib/connection.test.ts',
    'Zapier tests the connection and says what to correct.': 'test/zapier/authentication.test.ts',
    'Send every new lead a coupon:': recipes,
    'Trigger: the app that has your leads, such as a form or a spreadsheet.': recipes,
    'Action: Create Coupon.': shows('Create Coupon'),
    'Fill in Discount Type, Discount Value and Lead Email.': shows(
      'Discount Type',
      'Discount Value',
      'Lead Email',
    ),
    "For Code, combine a word with the lead's ID, such as WELCOME-1042.": shows('Code'),
    'Action: your email app.': recipes,
    'Insert Code from step 2 into the text.': shows('Code'),
    'Test the steps and turn the Zap on.': recipes,
    'Zapier sometimes runs a step twice.': runTwice,
    'Because you set Code, the second run returns the same coupon.': runTwice,
    'Find or Create Coupon is different: it also returns a coupon with that code that is revoked or belongs to another lead.':
      shows('Find or Create Coupon'),
    'The recipes show seven Zaps field by field.': recipes,
    'New Campaign Request and Campaign Request Status Changed check the service every few minutes.':
      shows('New Campaign Request', 'Campaign Request Status Changed'),
    'With a relay, Campaign Request Created and Campaign Request Rejected are instant: use either kind, not both.':
      shows('Campaign Request Created', 'Campaign Request Rejected'),
    'To follow fewer requests, fill in a field:': shows('Status', 'From', 'To', 'Industry'),
    'Near in searches and triggers keeps the screens around a place.': near,
    'Enter its latitude and longitude as maps copy them, such as 52.5200, 13.4050, and a Radius in Kilometers.':
      shows('Near', 'Radius in Kilometers'),
    'The nearest screen comes first, and each has its Distance in Kilometers.': near,
    'Screens Without Coordinates counts those left out of a search; triggers leave them out, too.':
      shows('Screens Without Coordinates'),
    'Find Available Screens lists the screens with ad time between two dates, cheapest first.':
      available,
    'If Unread Screens (those it could not check) is above 0, the list may be incomplete.':
      shows('Unread Screens'),
    'Next Days replaces From and To in a search.': shows('Next Days'),
    'Enter 14 for the 14 days from the day the Zap runs.': 'test/zapier/lib/period.test.ts',
    "Screen Availability Changed starts a Zap when a screen's available ad time rises above or falls below your threshold.":
      shows('Screen Availability Changed'),
    'The Country and Orientation menus list the values of the first 2,000 screens.':
      'test/zapier/dropdowns/dropdowns.test.ts',
    'Enter any other as a custom value.': 'test/zapier/searches/find-screen.test.ts',
    'Find Screen and Find Campaign Request need at least one field filled in.':
      'test/zapier/searches/nothing-filled-in.test.ts',
    'In Create Landing Link, Create Coupon or Find Coupon, choose the format PNG in QR Code.':
      shows('QR Code'),
    'Map the output QR Code to the attachment field of a later step, such as an email: Zapier draws the picture then.':
      'test/zapier/qr-codes.test.ts',
    "To put the coupon's code into an address, enter it in QR Code Text with {code}, such as https://shop.example/redeem?code={code}.":
      shows('QR Code Text'),
    'Screens near a new lead shows every field.': 'test/recipes/screens-near-new-lead.full.test.ts',
    'Instant triggers, such as Coupon Redeemed, run as soon as the event happens.':
      shows('Coupon Redeemed'),
    'Set them up once.': 'docs/receive-events.md',
    'Look up what to do in limits and errors, or find the message in all messages.':
      'test/docs/zapier-messages.full.test.ts',
    'A halted step stopped on purpose: a rerun would not help.': 'test/zapier/lib/errors.test.ts',
  });
});

/** All labels in a definition, however deep. */
function labelsOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === 'label' && typeof value === 'string' ? [value] : labelsOf(value),
  );
}
