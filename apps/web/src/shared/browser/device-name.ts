const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const

const firstIn = (names: readonly (readonly [RegExp, string])[], agent: string) =>
  names.find(([form]) => form.test(agent))?.[1]

/** By which people tell this browser from their others: `Firefox on Linux`. */
export function deviceName(agent: string): string {
  return [firstIn(BROWSERS, agent) ?? 'Browser', firstIn(SYSTEMS, agent)].filter(Boolean).join(' on ')
}
