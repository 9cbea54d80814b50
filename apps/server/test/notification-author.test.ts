import { type Actor, eventually, spaceIdOf } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Mailbox } from './support/mailbox.js'
import { hurry } from './support/notification-channels.js'
import { PushService } from './support/push-service.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const mailbox = new Mailbox()
const pushes = new PushService()
const settings: Record<string, string> = {}
beforeAll(async () => {
  await mailbox.open()
  await pushes.open()
  Object.assign(settings, mailbox.settings)
})
const h = useServer(settings)
afterAll(async () => {
  await mailbox.close()
  await pushes.close()
})

const PATH = '/api/actors/me/notifications'
/** Characters that change the direction of a text or have no width. */
const INVISIBLE = '\u202e\u200b\u2066\u061c\ufeff'
const TEXT = 'Reset your password at https://evil.example/reset'
let ada: Actor
let mallory: Actor
let count = 0

/** A message as its recipient sees it: the heading and the rest. */
interface ReceivedMessage {
  readonly title: string
  readonly body: string
}

beforeEach(async () => {
  ada = await h.registerHuman('Ada')
  mallory = await h.registerHuman('Mallory')
})

/** Sends something to Ada, and returns the messages that she receives by e-mail and in a browser. */
async function messagesOf(send: () => Promise<unknown>): Promise<ReceivedMessage[]> {
  const [email, browser] = [`ada-${++count}@example.org`, pushes.browser('Firefox')]
  await h.as(ada).put(PATH, { email, delay_minutes: 0 }).expect(200)
  await h.as(ada).post(`${PATH}/channels`, browser.subscription).expect(200)
  const [confirmation] = await eventually(() => (mailbox.to(email).length > 0 ? mailbox.to(email) : undefined))
  const link = /\S+\/notifications\/verify\/\S+/.exec(confirmation?.text ?? '')?.[0] ?? ''
  expect((await fetch(link, { method: 'POST' })).status).toBe(200)
  await send()
  return eventually(async () => {
    await hurry(h.connection)
    const [[, mail], [push]] = [mailbox.to(email), browser.received]
    return mail && push && [{ title: mail.subject, body: mail.text }, push.payload]
  })
}

const mentionOfAda = (more: object) => ({ text: TEXT, metadata: { mentions: [ada.actor_id] }, ...more })
const INVISIBLE_CHARACTER = /(?!\n)[\p{Cc}\p{Cf}]/u

describe('a message in a tenant whose policy allows every attribution', () => {
  it('names the poster first, and has no invisible characters', async () => {
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, ada, mallory)
    await makeAdmin(h.connection, mallory)
    await h.as(mallory).put(`/api/tenants/${tenant}/policy`, { attribution: 'free' }).expect(200)
    const scout = await h.registerAgent(mallory, `Sc${INVISIBLE}out`)
    const path = await h.openSpace(mallory)
    await h
      .as(mallory)
      .patch(path, { title: `Pl${INVISIBLE}ans` })
      .expect(200)
    const forged = { speaker_id: ada.actor_id, speaker_name: `Tomas ${INVISIBLE}Boss` }
    const messages = await messagesOf(() => h.as(scout).post(`${path}/speech`, mentionOfAda(forged)).expect(200))
    for (const { title, body } of messages) {
      expect(title).toBe('You have unread events in Plans')
      expect(body).toMatch(/^Plans: 1 event\n {0,2}Scout \(agent\) as Tomas Boss: Reset your password at /)
      expect(`${title}${body}`).not.toMatch(INVISIBLE_CHARACTER)
    }
  })
})

describe('a message that was revised before it is sent', () => {
  it.each([
    ['corrects', 'See you at the harbour', 'See you at the harbour'],
    ['retracts', 'Wrong space', '(retracted)'],
  ])('shows the event that %s it', async (field, text, shown) => {
    const tenant = await foundTenant(h.connection)
    await moveInto(h.connection, tenant, ada, mallory)
    const path = await h.openSpace(mallory)
    const messages = await messagesOf(async () => {
      const speech = h.as(mallory)
      const { event_id } = await speech.post(`${path}/speech`, mentionOfAda({})).expect(200)
      await speech.post(`${path}/speech`, { text, [field]: event_id }).expect(200)
    })
    for (const { body } of messages) {
      expect(body).toContain(`Mallory: ${shown}`)
      expect(body).not.toContain('password')
    }
  })
})

describe('in the shared default tenant', () => {
  it('a message from a stranger has their name and the space, but no text', async () => {
    const eve = await h.registerHuman('Tomas Boss: see https://evil.example/reset')
    const space_id = 'evil.example'
    await h.as(eve).post('/api/spaces', { space_id, title: 'Go to evil.example now' }).expect(200)
    const forged = { speaker_id: 'boss', speaker_name: 'Your boss' }
    const messages = await messagesOf(() =>
      h.as(eve).post(`/api/spaces/${space_id}/speech`, mentionOfAda(forged)).expect(200),
    )
    const [where, who] = ['evil example', 'Tomas Boss see https evil example reset']
    for (const { title, body } of messages) {
      expect(title).toBe(`You have unread events in ${where}`)
      expect(body).toMatch(new RegExp(`^${where}: 1 event\n {0,2}From ${who}($|\n)`))
      expect(`${title}${body}`).not.toMatch(/password|Go to|Your boss|Boss:/)
      expect(body.replaceAll(new RegExp(`http://\\S+/s/${space_id}`, 'g'), '')).not.toContain('evil.example')
    }
  })

  it('a notice about a space of a stranger omits its title', async () => {
    const path = await h.openSpace(mallory)
    await h.as(mallory).patch(path, { title: 'Go to evil.example now' }).expect(200)
    const proposal = { proposed_by: mallory.actor_id, text: 'Sail', assignees: [ada.actor_id] }
    const messages = await messagesOf(() => h.as(mallory).post(`${path}/decisions`, proposal).expect(200))
    for (const { title, body } of messages) {
      expect(title).toBe(`You have unread events in ${spaceIdOf(path)}`)
      expect(body).toContain(`A decision is assigned to you, in ${spaceIdOf(path)}.`)
      expect(body).not.toMatch(/evil|Sail/)
    }
  })

  it("a message from the recipient's own agent has its text, and the title of the recipient's space", async () => {
    const scout = await h.registerAgent(ada, 'Scout')
    const path = await h.openSpace(ada)
    await h.as(ada).patch(path, { title: 'Plans v1.2' }).expect(200)
    const messages = await messagesOf(() => h.as(scout).post(`${path}/response`, mentionOfAda({})).expect(200))
    for (const { title, body } of messages) {
      expect(title).toBe('You have unread events in Plans v1.2')
      expect(body).toContain(`Scout (agent): ${TEXT}`)
    }
  })
})
