/** Every setting, for the help and the guide. */
export const environment = {
  DATABASE_URL: 'PostgreSQL to use (its own, in RELAY_DATA_DIR)',
  RELAY_DATA_DIR:
    'Folder for its own PostgreSQL and key file (~/.screen-advertising-relay; as root /var/lib/screen-advertising-relay)',
  RELAY_SECRET_KEY:
    'Key that encrypts secrets in the database, 32 bytes in base64 (secret.key in RELAY_DATA_DIR, created on the first start)',
  RELAY_ADMIN_TOKEN:
    "Token to sign in to the operator's page, at least 24 characters (admin.token in RELAY_DATA_DIR, created on the first start)",
  RELAY_ROLE: 'ingress, sender, or all for both (all)',
  RELAY_ALLOW_TARGETS:
    'Hosts, addresses, and networks, separated by commas, that deliveries can go to in addition to public https addresses',
  RELAY_RETENTION_DAYS: 'Days to keep events for replays (30)',
  RELAY_PROBLEM_URL:
    "Address that gets a signed POST about problems, such as a chat's webhook (none)",
  RELAY_METRICS_PORT: 'Private port for /metrics, which then is on no other port (PORT)',
  HTTPS_PROXY:
    'Proxy for deliveries, except to RELAY_ALLOW_TARGETS. It resolves their names, so it must refuse private addresses (none)',
  NO_PROXY: 'Hosts, separated by commas, that deliveries reach without HTTPS_PROXY (none)',
  PUBLIC_URL: 'Public address of the relay (the address it listens on)',
  HOST: 'Address to listen on (127.0.0.1)',
  PORT: 'Port to listen on, 0 for a free one (8788)',
  LOG_LEVEL: 'silent, error, warn, info, or debug (info)',
  SANDBOX_PORT: 'Port of the --with-sandbox sandbox, 0 for a free one (8787)',
} as const;

export type Setting = keyof typeof environment;

const indent = `\n${' '.repeat(23)}`;

/** As the help shows them, in lines of at most 100 characters. */
export function environmentLines(): string {
  return Object.entries(environment)
    .map(([name, does]) => {
      const lines = does.match(/\S.{0,75}(?= |$)/g) ?? [];
      return `  ${name.padEnd(21)}${lines.join(indent)}\n`;
    })
    .join('');
}
