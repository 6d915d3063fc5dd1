import type { Product } from '@screen-advertising/page-kit';
import { icon } from './assets/icon.ts';
import { styles } from './assets/styles.ts';

export const product: Product = {
  name: 'relay',
  base: '/operator',
  refreshMs: 3000,
  icon,
  styles,
};
