import { randomBytes } from 'node:crypto';

/** A UUID of version 7 (RFC 9562): its first 48 bits are the moment. */
export function uuidAt(ms: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return dashed(bytes.toString('hex'));
}

/** An ID as users see it: `evt_` and 32 hex digits. */
export function publicId(prefix: string, uuid: string): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`;
}

/** The UUID of such an ID; undefined for any other text. */
export function uuidOf(prefix: string, id: string): string | undefined {
  const hex = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  return /^[0-9a-f]{32}$/.test(hex) ? dashed(hex) : undefined;
}

/** A subscription, by the UUID of its row, after one of its PUT requests. */
export interface SubscriptionId {
  readonly id: string;
  readonly generation: number;
}

/** `sub_`, 32 hex digits, and the generation. */
export function subscriptionId({ id, generation }: SubscriptionId): string {
  return `${publicId('sub', id)}_${generation}`;
}

export function readSubscriptionId(text: string): SubscriptionId | undefined {
  const [, head = '', generation] = /^(sub_[0-9a-f]{32})_(\d{1,9})$/.exec(text) ?? [];
  const id = uuidOf('sub', head);
  return id === undefined ? undefined : { id, generation: Number(generation) };
}

function dashed(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** One event to one subscription. */
export interface DeliveryKey {
  readonly event: string;
  readonly subscription: number;
}

export function deliveryId({ event, subscription }: DeliveryKey): string {
  return `${publicId('dlv', event)}_${subscription}`;
}

export function readDeliveryId(id: string): DeliveryKey | undefined {
  const [, head = '', number] = /^(dlv_[0-9a-f]{32})_(\d{1,9})$/.exec(id) ?? [];
  const event = uuidOf('dlv', head);
  return event === undefined ? undefined : { event, subscription: Number(number) };
}
