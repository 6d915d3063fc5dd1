import type { Product } from '@screen-advertising/page-kit';
import { styles } from './styles.ts';

/** A screen on its stand. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect x="3" y="5" width="26" height="17" rx="3" fill="#2b59c3"/>
<path d="M8 18l5-6 4 4 3-3 4 5z" fill="#fff" opacity=".9"/>
<path d="M16 22v4m-6 1h12" stroke="#2b59c3" stroke-width="3" stroke-linecap="round"/>
</svg>
`;

export const product: Product = {
  name: 'sandbox',
  base: '/inspector',
  refreshMs: 1000,
  icon,
  styles,
};
