import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, signedInAs, spaces, useServer } from './support/index.js'

const server = useServer({ SERVER_KEY: '5a'.repeat(32), WEBHOOK_NETWORKS: 'loopback', PUSH_HOSTS: '127.0.0.1' })
const PATH = '/api/actors/me/notifications'
let ada: Actor
let env: Record<string, string>

beforeAll(async () => {
  ada = await server.registerHuman('Ada')
  env = { ...signedInAs(server, ada), TZ: 'Europe/Berlin' }
})

const notifications = (...args: string[]) => spaces(['notifications', ...args], { env })

describe('spaces notifications', () => {
  it('shows the settings, and changes the named ones', async () => {
    const shown = await notifications().expect(0)
    expect(shown.stdout).toMatch(
      /^e-mail +none; this server sends no e-mail\nbrowsers +none\nwhat +mentions, answers, conversations and decisions/,
    )
    expect(shown.stdout).toMatch(/^when +e-mail after 15 min unseen, browsers at once\nquiet hours +none$/m)
    const changed = await notifications('set', '--quiet', '22:00-07:00', '--level', 'all', '--delay', '0').expect(0)
    expect(changed.stdout).toMatch(/^quiet hours +22:00 to 07:00, Europe\/Berlin$/m)
    expect(await server.as(ada).get(PATH).expect(200)).toMatchObject({
      quiet_hours: { from: '22:00', until: '07:00' },
      time_zone: 'Europe/Berlin',
      notices: 'all',
      delay_minutes: 0,
    })
    const { json } = await notifications('set', '--no-quiet', '--json').expect(0)
    expect(json).toMatchObject({ quiet_hours: null, time_zone: 'Europe/Berlin', notices: 'all' })
  })

  it('turns off one browser, or all', async () => {
    const keys = {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    }
    for (const name of ['Firefox on Linux', 'Edge on Windows', 'Safari on iOS']) {
      const endpoint = `http://127.0.0.1:9/${encodeURIComponent(name)}`
      await server.as(ada).post(`${PATH}/channels`, { endpoint, keys, name }).expect(200)
    }
    expect((await notifications().expect(0)).stdout).toMatch(
      /^browsers +Firefox on Linux, Edge on Windows, Safari on iOS$/m,
    )
    const one = await notifications('off', 'edge on windows').expect(0)
    expect(one.stdout).toMatch(/^browsers +Firefox on Linux, Safari on iOS$/m)
    expect((await notifications('off').expect(0)).stdout).toMatch(/^browsers +none$/m)
  })

  it('explains invalid settings', async () => {
    await notifications('set').expect(2, 'Use --email, --level, --delay, --push-delay, --quiet or --presence')
    await notifications('set', '--quiet', 'nights').expect(2, 'It must be hours such as 22:00-07:00.')
    await notifications('set', '--email', 'ada@example.org').expect(5, 'the operator has to set SMTP_URL')
    await notifications('off', 'Netscape').expect(2, 'See where you are: spaces notifications')
  })
})
