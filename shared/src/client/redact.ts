const bearer = /\b(svc_|bearer\s+)[\x21-\x7e]+/gi;

/** Takes secrets out of text that came from outside and goes into an error. */
export function redact(text: string, secrets: readonly string[] = []): string {
  const known = secrets
    .filter((secret) => secret.length > 0)
    .reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text);
  return known.replace(bearer, '[redacted]');
}
