import type { IncomingMessage } from 'node:http'
import { type Answer, type Pending, query, useDatabase } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { countedAddress } from '../src/http/address.js'
import { capturingLog } from './support/log.js'
import { useServer } from './support/server.js'

const settings = { REGISTRATION_LIMIT: '3', TRUST_PROXY: '1' }
const here = useServer(settings)
const there = useServer(settings, here)

/** Registers from an address, through the instances in turn. */
function registerFrom(address: string, turn: number): Pending<Answer> {
  const client = turn % 2 === 0 ? here : there
  const headers = { 'X-Forwarded-For': `198.51.100.1, ${address}` }
  return client.post('/api/actors', { display_name: 'Ada', email: 'ada@example.org' }, { headers })
}

describe('registrations from one address', () => {
  it('are limited per hour across all instances', async () => {
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((turn) => registerFrom('203.0.113.7', turn)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(3)
    for (const answer of refused) {
      answer.expect(429, 'Too many registrations from this address; try again later')
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(3_600)
    }
    await registerFrom('203.0.113.8', 0).expect(200)
  })

  it('do not limit other requests, such as the registration of agents', async () => {
    const { api_key } = await registerFrom('203.0.113.9', 0).expect(200)
    for (const turn of [1, 2, 3]) await registerFrom('203.0.113.9', turn)
    await registerFrom('203.0.113.9', 0).expect(429)
    const ada = here.as(api_key)
    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    const agent = { display_name: 'Scout', actor_type: 'agent' }
    for (let n = 0; n < 5; n++) await ada.post('/api/actors', agent, { headers }).expect(200)
    await ada.get('/health', { headers }).expect(200)
  })

  it('are counted from zero in the next hour, and old counts are deleted', async () => {
    for (const turn of [0, 1, 2]) await registerFrom('203.0.113.10', turn).expect(200)
    await query(here.connection, `UPDATE rate_counts SET ends_at = ends_at - interval '1 hour'`)
    await registerFrom('203.0.113.10', 3).expect(200)
    const { rows } = await query(here.connection, 'SELECT key, count FROM rate_counts')
    expect(rows).toEqual([{ key: 'registrations/203.0.113.10', count: 1 }])
  })

  it('are unlimited from the loopback address', async () => {
    for (let n = 0; n < 5; n++) await here.registerHuman()
  })
})

describe('registrations behind an untrusted proxy on the same machine', () => {
  const captured = capturingLog()
  const h = useServer({ REGISTRATION_LIMIT: '3' }, useDatabase(), captured.log)
  const registerVia = (headers: Record<string, string>) =>
    h.post('/api/actors', { display_name: 'Ada', email: 'ada@example.org' }, { headers })

  it('are counted together, and cause one warning about TRUST_PROXY in the log', async () => {
    for (let n = 0; n < 5; n++) await h.registerHuman()
    expect(captured.text()).not.toContain('TRUST_PROXY')
    await registerVia({ 'X-Forwarded-For': '203.0.113.7' }).expect(200)
    await registerVia({ 'X-Forwarded-For': '203.0.113.8' }).expect(200)
    await registerVia({ Forwarded: 'for=203.0.113.9' }).expect(200)
    await registerVia({ Forwarded: 'for=203.0.113.10' }).expect(429)
    await registerVia({ 'X-Forwarded-For': '127.0.0.1' }).expect(429)
    const warnings = captured.lines().filter(({ msg }) => String(msg).includes('TRUST_PROXY'))
    expect(warnings).toHaveLength(1)
    await h.registerHuman()
  })
})

describe('the address that is counted', () => {
  const counted = (remoteAddress: string | undefined, forwarded: string | undefined, proxies: number) =>
    countedAddress(
      { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
      proxies,
    )

  it.each([
    ['198.51.100.1', undefined, 0, '198.51.100.1'],
    ['::ffff:198.51.100.1', undefined, 0, '198.51.100.1'],
    ['198.51.100.1', '203.0.113.7', 0, '198.51.100.1'],
    ['198.51.100.1', '203.0.113.7', 1, '203.0.113.7'],
    ['198.51.100.1', '192.0.2.1, 203.0.113.7', 1, '203.0.113.7'],
    ['198.51.100.1', '192.0.2.1, 203.0.113.7', 2, '192.0.2.1'],
    ['198.51.100.1', undefined, 2, '198.51.100.1'],
    ['198.51.100.1', 'unknown', 1, '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', undefined, 0, '2001:db8:1:2::/64'],
    ['2001:db8::6', undefined, 0, '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0::7', undefined, 0, '2001:db8:0:0::/64'],
    ['fe80::1%br-abc', undefined, 0, 'fe80:0:0:0::/64'],
    ['fe80::1%eth0.100', undefined, 0, 'fe80:0:0:0::/64'],
    ['127.0.0.1', undefined, 0, null],
    ['::ffff:127.9.9.9', undefined, 0, null],
    ['::1', undefined, 0, null],
    ['127.0.0.1', '203.0.113.7', 1, '203.0.113.7'],
    ['127.0.0.1', '203.0.113.7:51234', 1, '203.0.113.7'],
    ['127.0.0.1', '[2001:db8::6]:443', 1, '2001:db8:0:0::/64'],
    [undefined, undefined, 0, null],
  ])(
    'of a connection from %s, forwarded for %s, with %i trusted proxies, is %s',
    (remote, forwarded, proxies, wanted) => {
      expect(counted(remote, forwarded, proxies)).toBe(wanted)
    },
  )
})
