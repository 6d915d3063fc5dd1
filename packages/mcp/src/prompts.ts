import { operations } from '@screen-advertising/core';
import { tasks } from '@screen-advertising/core/availability';
import { toolName } from './tool.ts';

/** One of the recipes of this project, for an assistant to carry out. */
export interface Prompt {
  readonly title: string;
  readonly description: string;
  /** What the user is asked for, with its help. */
  readonly asks: Readonly<Record<string, string>>;
  /** The tools it wants. */
  readonly tools: readonly string[];
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

const lookUp = toolName(operations['user.lookup'].title);
const createCoupon = toolName(operations['coupon.create'].title);
const getCoupon = toolName(operations['coupon.get'].title);
const createLink = toolName(operations['landingLink.create'].title);
const findAvailable = toolName(tasks['screen.findAvailable'].title);

export const prompts: readonly Prompt[] = [
  {
    title: 'Welcome coupon for a referred user',
    description: 'Creates a coupon for a user you referred, and writes the email to send it with.',
    asks: {
      lead: 'Email address of the user',
      discount: 'The discount, such as 20 percent',
    },
    tools: [lookUp, createCoupon],
    text: ({ lead, discount }) =>
      `Look up the user ${lead} with ${lookUp}. Continue only if the result shows that we referred this user; otherwise say why nothing was created. Create a coupon of ${discount} for ${lead} with ${createCoupon}. If the lead already has an active coupon, do not create another one, and say so. Then write a short email that welcomes the user and includes the coupon.`,
  },
  {
    title: 'Win-back after a rejected campaign request',
    description: 'Offers a coupon and a link to a lead whose campaign request was rejected.',
    asks: {
      lead: 'Email address of the lead',
      discount: 'The discount, such as 20 percent',
      campaign: 'Campaign name to track the link under, such as comeback',
    },
    tools: [lookUp, createLink, createCoupon],
    text: ({ lead, discount, campaign }) =>
      `The campaign request of ${lead} was rejected. Look the lead up with ${lookUp}; stop if this user already has bookings. Continue if the service does not know the lead. First create a landing link for the campaign ${campaign} with ${createLink}, then a coupon of ${discount} for ${lead} with ${createCoupon}. If the lead already has an active coupon, stop and say so. Then write a short email with the coupon and the link.`,
  },
  {
    title: 'Redeemed coupons to a spreadsheet or CRM',
    description: 'Creates a table row for each redeemed coupon.',
    asks: { coupons: 'Coupon codes to check, separated by commas' },
    tools: [getCoupon],
    text: ({ coupons }) =>
      `Read each of these coupons with ${getCoupon}: ${coupons}. Return a table, ready to paste into a spreadsheet, with a row for each redeemed coupon: code, lead, discount type, and discount value. List those that were not redeemed, or cannot be read, below it.`,
  },
  {
    title: 'Availability report',
    description: 'Lists the available screens in a city, cheapest first.',
    asks: {
      place: 'The city, such as Berlin',
      period: 'First and last day, such as 2027-03-01 to 2027-03-31',
    },
    tools: [findAvailable],
    text: ({ place, period }) =>
      `Find the screens in ${place} that are available in the period ${period} with ${findAvailable}; continue with the cursor until the list ends. Return a table with a row for each screen, cheapest first: the screen, its available share of voice, and the price for the whole period in currency units (the service uses cents). Say how many screens could not be read.`,
  },
  {
    title: 'Landing links from a list',
    description: 'Creates a landing link for each campaign in a list.',
    asks: { campaigns: 'The campaigns, separated by commas' },
    tools: [createLink],
    text: ({ campaigns }) =>
      `Create one landing link for each of these campaigns with ${createLink}: ${campaigns}. Skip campaigns that already have a link in this conversation. When one fails, continue with the others. Return a table of campaigns and links, with the reason for each missing link.`,
  },
];
