/** The script `version` writes it from package.json at each release. */
export const version = '0.1.0';
