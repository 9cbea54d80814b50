/** Returns settings for a server whose clock is ahead by this many milliseconds. Its speed is normal. */
export function clockAhead(milliseconds: number): Readonly<Record<string, string>> {
  const shift = `
    const { now } = Date
    Date.now = () => now() + ${milliseconds}
    globalThis.Date = class extends Date {
      constructor(...parts) {
        super(...(parts.length > 0 ? parts : [Date.now()]))
      }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` }
}
