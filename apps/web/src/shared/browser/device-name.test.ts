import { expect, it } from 'vitest'
import { deviceName } from './device-name'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18 Safari/605', 'Safari on macOS'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/142 Safari/537 Edg/142', 'Edge on Windows'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537 Chrome/142 Mobile Safari/537', 'Chrome on Android'],
  ['curl', 'Browser'],
])('the device name of %s is %s', (agent, name) => {
  expect(deviceName(agent)).toBe(name)
})
