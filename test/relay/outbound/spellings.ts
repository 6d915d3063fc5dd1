const bytesOf = (address: string) => address.split('.').map(Number);
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0);
const hexOf = (value: number, width = 0) => value.toString(16).padStart(width, '0');
const each = (address: string, write: (byte: number) => string) =>
  bytesOf(address).map(write).join('.');
const groups = (address: string) =>
  bytesOf(address)
    .map((byte) => hexOf(byte, 2))
    .join('')
    .replace(/^(.{4})/, '$1:');
const inverted = (address: string) => groups(each(address, (byte) => String(255 - byte)));

/** Digits of other writing systems, which the IDN rules map to ASCII digits. */
const digits = (zero: string) => (address: string) =>
  [...address]
    .map((char) =>
      /\d/.test(char) ? String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(char)) : char,
    )
    .join('');
const enclosed = (address: string) =>
  address.replace(/\d/g, (digit) => '⓪①②③④⑤⑥⑦⑧⑨'[Number(digit)] ?? '');

/** The ways to write an IPv4 address in a URL. */
const spell: ((address: string) => string)[] = [
  (address) => address,
  (address) => `${address}.`,
  (address) => String(numberOf(address)),
  (address) => `${numberOf(address)}.`,
  (address) => `0x${hexOf(numberOf(address))}`,
  (address) => `0X${hexOf(numberOf(address), 12).toUpperCase()}`,
  (address) => `0${numberOf(address).toString(8)}`,
  (address) => each(address, (byte) => `0${byte.toString(8)}`),
  (address) => each(address, (byte) => `0000${byte.toString(8)}`),
  (address) => each(address, (byte) => `0x${hexOf(byte)}`),
  (address) => each(address, (byte) => `0x${hexOf(byte, 8)}`),
  (address) => `${bytesOf(address)[0]}.${numberOf(address) % 2 ** 24}`,
  (address) => `${bytesOf(address).slice(0, 2).join('.')}.${numberOf(address) % 2 ** 16}`,
  (address) => `0x${hexOf(bytesOf(address)[0] ?? 0)}.${bytesOf(address).slice(1).join('.')}`,
  (address) => address.replaceAll('.', '。'),
  (address) => address.replaceAll('.', '．'),
  (address) => address.replaceAll('.', '｡'),
  (address) => address.replaceAll('.', '%2E'),
  (address) => address.replace(/\d/g, (digit) => `%3${digit}`),
  (address) => address.replace(/^./, (first) => `\u00ad${first}`),
  digits('０'),
  digits('𝟎'),
  digits('𝟘'),
  enclosed,
  (address) => `[::ffff:${address}]`,
  (address) => `[::ffff:${groups(address)}]`,
  (address) => `[0:0:0:0:0:FFFF:${groups(address)}]`,
  (address) => `[::ffff:0:${groups(address)}]`,
  (address) => `[::${address}]`,
  (address) => `[::${groups(address)}]`,
  (address) => `[64:ff9b::${address}]`,
  (address) => `[64:ff9b::${groups(address)}]`,
  (address) => `[64:ff9b:1::${groups(address)}]`,
  (address) => `[2002:${groups(address)}::]`,
  (address) => `[2002:${groups(address)}::1]`,
  (address) => `[2001:0:4136:e378:8000:63bf:${inverted(address)}]`,
  (address) => `[2001:0:${groups(address)}::1]`,
  (address) => `[fe80::5efe:${groups(address)}]`,
];

const addresses = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1'],
  ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '255.255.255.255'],
];
const ipv6 = [
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::0.0.0.1]',
    '[fe80::1]',
    '[fec0::1]',
  ],
  ...['[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[100::1]', '[5f00::1]', '[3fff::1]'],
];
/** Private addresses in every form that a URL may contain. */
export const hosts = [
  ...new Set([...addresses.flatMap((address) => spell.map((write) => write(address))), ...ipv6]),
];
