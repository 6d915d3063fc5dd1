const { memoryUsage } = process;

/**
 * zapier-platform-core ends the process after 250 runs when it uses 450 MB, as a Lambda may; a
 * process of tests needs more. Returns how to let it measure again.
 */
export function unlimitMemory(): () => void {
  process.memoryUsage = Object.assign(() => ({ ...memoryUsage(), rss: 0 }), memoryUsage);
  return () => {
    process.memoryUsage = memoryUsage;
  };
}
