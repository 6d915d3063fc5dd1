import { publicId, uuidOf } from './uuid.ts';

/** One event to one subscription. */
export interface DeliveryKey {
  readonly event: string;
  readonly subscription: number;
}

export function deliveryId({ event, subscription }: DeliveryKey): string {
  return `${publicId('dlv', event)}_${subscription}`;
}

/** Returns undefined for any other text. */
export function readDeliveryId(id: string): DeliveryKey | undefined {
  const [, head = '', number] = /^(dlv_[0-9a-f]{32})_(\d{1,9})$/.exec(id) ?? [];
  const event = uuidOf('dlv', head);
  return event === undefined ? undefined : { event, subscription: Number(number) };
}
