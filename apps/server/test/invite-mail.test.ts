import { UNVERIFIED_MAIL } from '@collab-spaces/domain'
import { type Actor, query, useDatabase } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Mailbox } from './support/mailbox.js'
import { useServer } from './support/server.js'

const mailbox = new Mailbox()
const settings: Record<string, string> = {}
beforeAll(async () => {
  await mailbox.open()
  Object.assign(settings, mailbox.settings)
})
const h = useServer(settings, useDatabase())
afterAll(() => mailbox.close())

beforeEach(async () => {
  mailbox.onMessage = () => {}
  await query(h.connection, 'DELETE FROM rate_counts')
})

/** Registers the admin of a new tenant. */
async function admin(name = 'Ada', tenant = 'Acme'): Promise<Actor> {
  const ada = await h.registerHuman(name)
  await h.as(ada).post('/api/tenants', { name: tenant }).expect(200)
  return ada
}

let count = 0
const addresses = (many: number) => Array.from({ length: many }, () => `invited${++count}@example.org`)
const batch = (actor: Actor, emails: readonly string[]) =>
  h.as(actor).post('/api/invites/batch', { emails, send: true })

describe('an invite by e-mail', () => {
  it('contains the link, its expiry, and the names of the inviter and the tenant', async () => {
    const [email = ''] = addresses(1)
    const invite = await h
      .as(await admin())
      .post('/api/invites', { email, send: true })
      .expect(200)
    expect(invite).toMatchObject({ email, sent: true })
    const [mail, ...others] = mailbox.to(email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Ada invites you to Acme')
    const end = new Date(invite.expires_at).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    for (const part of [invite.url, `until ${end}:`, email]) expect(mail?.text).toContain(part)
    await h.post('/api/actors', { display_name: 'Bob', email, code: invite.code }).expect(200)
  })

  it.each([
    ['Your Bank https://bank.invalid', 'Visit bank.invalid'],
    ['Ada\u202e', 'bank。invalid'],
  ])('replaces names that contain an address: %s, %s', async (name, tenant) => {
    const [email = ''] = addresses(1)
    await batch(await admin(name, tenant), [email]).expect(200)
    const [mail] = mailbox.to(email)
    expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/bank|\u202e/)
    expect(mail?.subject).toMatch(/^(?:A member|Ada) invites you to a tenant$/)
  })

  it('keeps its invite, unsent, if the mail server rejects the message', async () => {
    const emails = addresses(3)
    mailbox.onMessage = ({ to }) => {
      if (to === emails[1]) throw new Error('mailbox full')
    }
    const ada = await admin()
    const invites = await batch(ada, emails).expect(200)
    expect(invites.map(({ sent }: { sent: boolean }) => sent)).toEqual([true, false, true])
    expect(await h.as(ada).get('/api/invites').expect(200)).toHaveLength(3)
    // An unsent message does not count towards the limit.
    await batch(ada, addresses(UNVERIFIED_MAIL.byHuman - 2)).expect(200)
  })

  it('is limited to 20 addresses a day, beyond which no invite is created', async () => {
    const ada = await admin()
    await batch(ada, addresses(UNVERIFIED_MAIL.byHuman + 1)).expect(400, /^send: reaches at most 20 addresses a day/)
    expect(await h.as(ada).get('/api/invites').expect(200)).toEqual([])
    await batch(ada, addresses(UNVERIFIED_MAIL.byHuman - 1)).expect(200)
    await batch(ada, addresses(2)).expect(429)
    expect(await h.as(ada).get('/api/invites').expect(200)).toHaveLength(UNVERIFIED_MAIL.byHuman - 1)
    await batch(ada, addresses(1)).expect(200)
  })
})
