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

/** Returns a name for this browser, such as `Firefox on Linux`. */
export function deviceName(agent: string): string {
  return [firstIn(BROWSERS, agent) ?? 'Browser', firstIn(SYSTEMS, agent)].filter(Boolean).join(' on ')
}
