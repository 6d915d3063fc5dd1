import { toolName } from './tool.ts';

/** One of the recipes of this project, for an assistant to carry out. */
export interface Prompt {
  readonly title: string;
  readonly description: string;
  /** Help text of each value that the user gives. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Holds, in braces, the user's values and the titles of the tools to call. */
  readonly text: string;
}

const braces = /\{([^}]+)\}/g;

/** The tools that a prompt uses. */
export function toolsOf({ text, inputs }: Prompt): string[] {
  const names = Array.from(text.matchAll(braces), ([, name = '']) => name);
  return names.filter((name) => !(name in inputs)).map(toolName);
}

/** The text for the model, with the user's values filled in. */
export function textOf({ text }: Prompt, given: Readonly<Record<string, string>>): string {
  return text.replaceAll(braces, (_all, name: string) => given[name] ?? toolName(name));
}

export const prompts: readonly Prompt[] = [
  {
    title: 'Welcome coupon for a referred user',
    description: 'Creates a coupon for a user you referred, and writes the email to send it with.',
    inputs: {
      lead: 'Email address of the user',
      discount: 'The discount, such as 20 percent',
    },
    text: 'Look up the user {lead} with {Look Up User}. Continue only if the result shows that we referred this user; otherwise say why nothing was created. Create a coupon of {discount} for {lead} with {Create Coupon}. If the lead already has an active coupon, do not create another one, and say so. Then write a short email that welcomes the user and includes the coupon.',
  },
  {
    title: 'Win-back after a rejected campaign request',
    description: 'Offers a coupon and a link to a lead whose campaign request was rejected.',
    inputs: {
      lead: 'Email address of the lead',
      discount: 'The discount, such as 20 percent',
      campaign: 'Campaign name to track the link under, such as comeback',
    },
    text: 'The campaign request of {lead} was rejected. Look the lead up with {Look Up User}; stop if this user already has bookings. Continue if the service does not know the lead. First create a landing link for the campaign {campaign} with {Create Landing Link}, then a coupon of {discount} for {lead} with {Create Coupon}. If the lead already has an active coupon, stop and say so. Then write a short email with the coupon and the link.',
  },
  {
    title: 'Screens near a new lead',
    description:
      'Finds the available screens nearest to a lead, and writes the email to offer them.',
    inputs: {
      lead: 'Email address of the lead',
      place: 'Where the lead is: a city, or the latitude and longitude of an address',
      period: 'First and last day, such as 2027-03-01 to 2027-03-31',
    },
    text: 'Find the screens within 5 km of {place} that are available in the period {period} with {Find Available Screens}: pass the latitude and longitude as near. If there are none, stop and say so. Create a landing link with the campaign screens_nearby with {Create Landing Link}. Then write a short email to {lead} with the three nearest screens, their distances, and the link. Say how many screens have no coordinates.',
  },
  {
    title: 'Redeemed coupons to a spreadsheet or CRM',
    description: 'Creates a table row for each redeemed coupon.',
    inputs: { coupons: 'Coupon codes to check, separated by commas' },
    text: 'Read each of these coupons with {Get Coupon}: {coupons}. Return a table, ready to paste into a spreadsheet, with a row for each redeemed coupon: code, lead, discount type, and discount value. List those that were not redeemed, or cannot be read, below it.',
  },
  {
    title: 'Availability report',
    description: 'Lists the available screens in a city, cheapest first.',
    inputs: {
      place: 'The city, such as Berlin',
      period: 'First and last day, such as 2027-03-01 to 2027-03-31',
    },
    text: 'Find the screens in {place} that are available in the period {period} with {Find Available Screens}; continue with the cursor until the list ends. Return a table with a row for each screen, cheapest first: the screen, its available share of voice, and the price for the whole period in currency units (the service uses cents). Say how many screens could not be read.',
  },
  {
    title: 'Landing links from a list',
    description: 'Creates a landing link for each campaign in a list.',
    inputs: { campaigns: 'The campaigns, separated by commas' },
    text: 'Create one landing link for each of these campaigns with {Create Landing Link}: {campaigns}. Skip campaigns that already have a link in this conversation. When one fails, continue with the others. Return a table of campaigns and links, with the reason for each missing link.',
  },
];
