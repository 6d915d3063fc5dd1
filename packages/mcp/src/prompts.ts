import { toolName } from './tool.ts';

/** One of the recipes of this project, for an assistant to carry out. */
export interface Prompt {
  readonly title: string;
  readonly description: string;
  /** What the user is asked for, with its help. */
  readonly asks: Readonly<Record<string, string>>;
  /** In braces it has what the user is asked for, and the titles of the tools that it wants. */
  readonly text: string;
}

const braces = /\{([^}]+)\}/g;

/** The tools that a prompt wants. */
export function toolsOf({ text, asks }: Prompt): string[] {
  const names = Array.from(text.matchAll(braces), ([, name = '']) => name);
  return names.filter((name) => !(name in asks)).map(toolName);
}

/** The text for a model, with what the user gave. */
export function textOf({ text }: Prompt, given: Readonly<Record<string, string>>): string {
  return text.replaceAll(braces, (_all, name: string) => given[name] ?? toolName(name));
}

export const prompts: readonly Prompt[] = [
  {
    title: 'Welcome coupon for a referred user',
    description: 'Creates a coupon for a user you referred, and writes the mail that brings it.',
    asks: {
      lead: 'E-mail address of the user',
      discount: 'How large the discount is, such as 20 percent',
    },
    text: 'Look up the user {lead} with {Look Up User}. Continue only if the result shows that we referred this user; otherwise say why nothing was created. Create a coupon of {discount} for {lead} with {Create Coupon}. If the lead already has an active coupon, create no other one and say so. Then write a short mail that welcomes the user and gives the coupon.',
  },
  {
    title: 'Win-back after a rejected campaign request',
    description: 'Offers a coupon and a link to a lead whose campaign request was rejected.',
    asks: {
      lead: 'E-mail address of the lead',
      discount: 'How large the discount is, such as 20 percent',
      campaign: 'Name of the campaign that the link is counted under, such as comeback',
    },
    text: 'The campaign request of {lead} was rejected. Look the lead up with {Look Up User}; stop if this user already has bookings. A lead whom the service does not know continues. First create a landing link for the campaign {campaign} with {Create Landing Link}, then a coupon of {discount} for {lead} with {Create Coupon}. If the lead already has an active coupon, stop and say so. Then write a short mail with the coupon and the link.',
  },
  {
    title: 'Redeemed coupons to a spreadsheet or CRM',
    description: 'Makes a row for each of your coupons that was redeemed.',
    asks: { coupons: 'The coupons to look at, separated by commas' },
    text: 'Read each of these coupons with {Get Coupon}: {coupons}. Give a table, ready to paste into a spreadsheet, with a row for each coupon that was redeemed: the coupon, its lead, the kind of discount and its size. List those that were not redeemed, or cannot be read, below it.',
  },
  {
    title: 'Availability report',
    description: 'Lists the screens of a city that have ad time, the cheapest first.',
    asks: {
      place: 'The city, such as Berlin',
      period: 'First and last day, such as 2027-03-01 to 2027-03-31',
    },
    text: 'Find the screens in {place} that have ad time in the period {period} with {Find Available Screens}; continue with the cursor until the list ends. Give a table with a row for each screen, the cheapest first: the screen, the share that is available, and the price of the whole period in currency units (the service counts in cents). Say how many screens could not be read.',
  },
  {
    title: 'Landing links from a list',
    description: 'Creates a landing link for each campaign of a list.',
    asks: { campaigns: 'The campaigns, separated by commas' },
    text: 'Create one landing link for each of these campaigns with {Create Landing Link}: {campaigns}. Skip campaigns that already have a link in this conversation. When one fails, continue with the others. Give a table of campaigns and links, with the reason for each link that is missing.',
  },
];
