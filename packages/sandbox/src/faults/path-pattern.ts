/** `*` stands for one segment, `**` for any rest. */
export function pathPattern(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*|\*|\{\w+\})/)
    .map((part) => {
      if (part === '**') return '.*';
      return part === '*' || /^\{\w+\}$/.test(part) ? '[^/]+' : quote(part);
    })
    .join('');
  return new RegExp(`^${source}$`);
}

function quote(text: string): string {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
}
