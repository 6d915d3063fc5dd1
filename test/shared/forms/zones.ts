/** Of every kind: summer time on both halves of the earth, at midnight, of half an hour, and none. */
export const zones = [
  'UTC',
  'Europe/Vienna',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'Asia/Tokyo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  // Summer time starts at midnight, so that some days start at 01:00.
  'Asia/Beirut',
  'America/Santiago',
  'Africa/Cairo',
  // It ends at 01:00, so that some days start twice.
  'America/Havana',
];
