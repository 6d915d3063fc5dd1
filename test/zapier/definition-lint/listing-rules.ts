import type { Rule } from './rule.ts';

const descriptionLength = { least: 40, most: 140 };

/** The category that suits the app, as Zapier writes it in its address. */
const category = /^[a-z]+(-[a-z]+)*$/;

export const listingRules: readonly Rule[] = [
  {
    code: 'M001',
    demand: 'The app has a category.',
    check: ({ listing }) => (category.test(listing.category) ? [] : ['listing.category']),
  },
  {
    code: 'M002',
    demand:
      'The description says what the service is, in 40 to 140 characters, and does not name Zapier.',
    check: ({ listing: { title, description } }) => {
      const { length } = description;
      const isRight =
        description.startsWith(`${title} is a`) &&
        description.endsWith('.') &&
        length >= descriptionLength.least &&
        length <= descriptionLength.most;
      return isRight && !/zapier/i.test(description) ? [] : ['listing.description'];
    },
  },
  {
    code: 'M004',
    demand: 'The logo is a square PNG of at least 256 pixels, with transparency.',
    check: ({ logo }) => {
      const view = new DataView(logo.buffer, logo.byteOffset, logo.byteLength);
      const [width, height, colorType] = [view.getUint32(16), view.getUint32(20), logo[25]];
      const isRight = width === height && width >= 256 && (colorType === 6 || colorType === 4);
      return isRight ? [] : ['icons/logo.png'];
    },
  },
];
