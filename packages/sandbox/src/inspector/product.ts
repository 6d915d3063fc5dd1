import type { Product } from '@screen-advertising/page-kit';
import { icon } from './assets/icon.ts';
import { styles } from './assets/styles.ts';

export const product: Product = {
  name: 'sandbox',
  base: '/inspector',
  refreshMs: 1000,
  icon,
  styles,
};
