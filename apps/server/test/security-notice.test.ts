import { type Database, type NewNotice, openDatabase } from '@collab-spaces/db'
import { DEFAULT_TENANT, LIMITS, NOTICE_KINDS, type NoticeKind, TOKEN_SCOPES } from '@collab-spaces/domain'
import { type Actor, eventually, servingConnection, spaceIdOf } from '@collab-spaces/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'

/** The kinds that an attacker could want to hide; they concern the account, not a space. */
const SECURITY: readonly NoticeKind[] = ['agent_webhook', 'agents_waiting', 'credential_revoked', 'agent_stopped']
const INBOX = '/api/actors/me/inbox'

const h = useServer()
let database: Database
let ada: Actor
let spaceId: string
let elsewhere: string

beforeAll(async () => {
  database = await openDatabase({ connection: servingConnection(h.connection), poolSize: 4, log: () => {} })
})
afterAll(() => database?.close())

beforeEach(async () => {
  ada = await h.registerHuman()
  spaceId = spaceIdOf(await h.openSpace(ada))
  elsewhere = spaceIdOf(await h.openSpace(ada))
})

interface ListedNotice {
  readonly notice_id: string
  readonly kind: string
  readonly details: object
}

const notice = (kind: NoticeKind, subject: string, more: Partial<NewNotice> = {}): NewNotice => ({
  tenantId: DEFAULT_TENANT,
  actorId: ada.actor_id,
  kind,
  subject,
  sourceId: 'usr_owner',
  spaceId: null,
  details: { subject },
  ...more,
})
const inboxOf = (credential: Actor | string = ada): Promise<{ notices: ListedNotice[]; done: { notices: string[] } }> =>
  h
    .as(credential)
    .get(`${INBOX}?peek=true`)
    .expect(200)
    .then((inbox) => inbox)
const isKept = async (kind: NoticeKind, subject: string) =>
  (await inboxOf()).notices.some(
    (listed) => listed.kind === kind && 'subject' in listed.details && listed.details.subject === subject,
  )

const tokenOf = async (limits: object): Promise<string> => {
  const { token } = await h
    .as(ada)
    .post('/api/personal-access-tokens', { name: 'x', ...limits })
    .expect(200)
  return token
}

/** Every kind of credential of a human, and whether it opens the account. */
const CREDENTIALS: readonly [name: string, isOfAccount: boolean, mayWrite: boolean, of: () => Promise<string>][] = [
  ['the API key', true, true, async () => ada.api_key],
  ['a token', true, true, () => tokenOf({})],
  ...TOKEN_SCOPES.map((scope): (typeof CREDENTIALS)[number] => [
    `a token with write and ${scope}`,
    scope === 'account',
    true,
    () => tokenOf({ scopes: [...new Set(['read', 'write', scope])] }),
  ]),
  ['a token that only reads', false, false, () => tokenOf({ scopes: ['read'] })],
  ['a token of one space', false, true, () => tokenOf({ space_ids: [spaceId] })],
  [
    'a token of one space, with every scope',
    false,
    true,
    () => tokenOf({ space_ids: [spaceId], scopes: [...TOKEN_SCOPES] }),
  ],
]

describe.each(NOTICE_KINDS.map((kind) => [kind] as const))('%s', (kind) => {
  it('is kept when another source floods the inbox with notices of every kind', async () => {
    await database.notices.raise([notice(kind, 'kept')])
    for (const flooding of NOTICE_KINDS) {
      const flood = Array.from({ length: LIMITS.notices + 5 }, (_, n) =>
        notice(flooding, `flood ${n}`, { sourceId: 'usr_mallory' }),
      )
      await database.notices.raise(flood)
    }
    expect(await isKept(kind, 'kept')).toBe(true)
    expect((await inboxOf()).notices).toHaveLength(NOTICE_KINDS.length * LIMITS.notices)
  })

  it.each(CREDENTIALS)(
    'is dismissed with %s only if that credential covers the account',
    async (_name, isOfAccount, mayWrite, of) => {
      const credential = await of()
      await database.notices.raise([notice(kind, 'account')])
      const [{ notice_id } = { notice_id: '' }] = (await inboxOf()).notices
      const { done } = await inboxOf(credential)
      expect(done.notices).toEqual(isOfAccount ? [notice_id] : [])
      const dismissed = h.as(credential).post(`${INBOX}/done`, { notices: [notice_id] })
      if (isOfAccount) await dismissed.expect(200)
      else await dismissed.expect(403, mayWrite ? /scope "account"|limited to some spaces/ : /scope "write"/)
      expect(await isKept(kind, 'account')).toBe(!isOfAccount)
    },
  )
})

it('a notice of a space is dismissed only by a credential that may write in that space', async () => {
  await database.notices.raise([
    notice('review_due', 'here', { spaceId }),
    notice('review_due', 'there', { spaceId: elsewhere }),
  ])
  const all = (await inboxOf()).notices.map(({ notice_id }) => notice_id)
  const narrow = await tokenOf({ space_ids: [spaceId], scopes: ['read', 'write'] })
  await h.as(narrow).post(`${INBOX}/done`, { notices: all }).expect(200)
  expect([await isKept('review_due', 'here'), await isKept('review_due', 'there')]).toEqual([false, true])
})

it('the inbox marks nothing as done if the credential may not dismiss one of the notices', async () => {
  const { event_id } = await h
    .as(ada)
    .as(await h.registerHuman('Bob'))
    .post(`/api/spaces/${spaceId}/response`, { text: 'x', metadata: { mentions: [ada.actor_id] } })
    .expect(200)
  await database.notices.raise([notice('credential_revoked', 'account')])
  const [{ notice_id } = { notice_id: '' }] = (await inboxOf()).notices
  const through = [{ space_id: spaceId, event_id }]
  const writer = await tokenOf({ scopes: ['read', 'write'] })
  await h
    .as(writer)
    .post(`${INBOX}/done`, { through, notices: [notice_id] })
    .expect(403, 'Token lacks the scope "account"')
  expect(await h.as(ada).get(`${INBOX}?peek=true`).expect(200)).toMatchObject({ counts: { unread: 1, notices: 1 } })
  // A notice that the credential cannot dismiss does not end its long polls.
  await h.as(writer).post(`${INBOX}/done`, { through }).expect(200)
  const since = Date.now()
  await h.as(writer).get(`${INBOX}?wait=1`).expect(200)
  expect(Date.now() - since).toBeGreaterThan(900)
})

it.each(SECURITY.map((kind) => [kind] as const))('%s signals its owner on every server at the commit', async (kind) => {
  const woken: string[] = []
  database.bus.subscribe((hint) => {
    if (hint.kind === 'inbox') woken.push(hint.actorId)
  })
  await database.notices.raise([notice(kind, 'x')])
  await eventually(() => woken.includes(ada.actor_id))
})

it('the kinds of notices include those of the account, and the limit of dismissed ones fits all kinds', () => {
  expect(NOTICE_KINDS).toEqual(expect.arrayContaining([...SECURITY]))
  expect(LIMITS.dismissed).toBe(2 * LIMITS.notices * NOTICE_KINDS.length)
})
