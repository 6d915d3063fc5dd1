/** How users run the relay's commands, in a clone or installed. */
export const commandLine: string = import.meta.url.endsWith('.ts')
  ? 'npx -y pnpm@12 run relay'
  : 'npx @screen-advertising/relay';
