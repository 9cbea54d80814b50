import { randomUUID } from 'node:crypto'
import { type Actor, type Answer, type Client, spaceIdOf } from '@collab-spaces/testing'
import { newVerifier } from '@collab-spaces/testing/identity-provider'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPasskey, signedBy } from './support/authenticator.js'
import { operations, resolved } from './support/document.js'
import { bindEmail, requestBinding, requestSignIn } from './support/email-link.js'
import { useServer } from './support/server.js'
import { foundTenant, makeAdmin, moveInto } from './support/tenant.js'

const h = useServer({ DATABASE_POOL: '20' })

/** The owner of the stolen credential, an admin of her tenant. */
let ada: Actor
/** Another admin. */
let root: Actor
let space: string
/** A token of Ada's that is not stolen. */
let own: string
let stolen: { readonly pat_id: string; readonly token: string }

const TOKENS = '/api/personal-access-tokens'
const me = () => `/api/actors/${ada.actor_id}`
const credentials = () => `${me()}/credentials`
const newToken = (credential: string, name = 'laptop') => h.as(credential).post(TOKENS, { name }).expect(200)

beforeEach(async () => {
  ;[ada, root] = [await h.registerHuman('Ada'), await h.registerHuman('Root')]
  await moveInto(h.connection, await foundTenant(h.connection), ada, root)
  await makeAdmin(h.connection, ada)
  await makeAdmin(h.connection, root)
  space = await h.openSpace(ada)
  own = (await newToken(ada.api_key, 'own')).token
  stolen = await newToken(ada.api_key, 'stolen')
})

/** Returns whether a credential can still change something. */
async function acts(credential: string): Promise<boolean> {
  const { status } = await h.as(credential).post(`${space}/response`, { text: 'Still here' })
  return status === 200
}

/** Returns whether what an operation created can still act, or create something that can. */
type CanAct = () => Promise<boolean>
type Way = (thief: Client) => Promise<CanAct>

const agentOf = (thief: Client) => thief.post('/api/actors', { display_name: 'Mole', actor_type: 'agent' }).expect(200)
const byKey =
  ({ api_key }: { readonly api_key: string }): CanAct =>
  () =>
    acts(api_key)
const isEnabled =
  (id: string): CanAct =>
  async () =>
    (await h.as(root).get(`/api/webhooks/${id}`).expect(200)).disabled_at === null
/** Returns whether an incoming webhook still accepts requests. */
const byHook =
  ({ url, secret }: { readonly url: string; readonly secret: string }): CanAct =>
  async () =>
    (await h.as(secret).post(new URL(url).pathname, { text: 'x' })).status === 200
const incomingOf = (thief: Client) =>
  thief.post(`${space}/incoming-webhooks`, { name: 'Hook', format: 'json' }).expect(200)
const webhookOf = (thief: Client, body: object = { space_id: spaceIdOf(space) }) =>
  thief.post('/api/webhooks', { url: 'https://127.0.0.1:9/', ...body }).expect(200)

const EMAIL = '/api/sign-in/email/finish'
const newAddress = () => `${randomUUID()}@example.org`
const PASSKEY = '/api/sign-in/passkey/finish'
const bySession =
  (token: string): CanAct =>
  () =>
    acts(token)

/** Returns whether a confirmed session, whose token is issued once, can still act. */
function byCodeOfSession(redeem: () => PromiseLike<Answer>): CanAct {
  let token: string | undefined
  return async () => {
    token ??= (await redeem()).body?.token
    return token !== undefined && acts(token)
  }
}

async function sessionCode(thief: Client): Promise<() => PromiseLike<Answer>> {
  const { verifier, challenge } = newVerifier()
  const { code } = await thief.post('/api/sign-in/codes', { challenge, name: 'cellar' }).expect(200)
  return () => h.post('/api/sign-in/redeem', { code, verifier })
}

async function answeredDevice(thief: Client): Promise<() => PromiseLike<Answer>> {
  const { device_code, user_code } = await h.post('/api/devices', { name: 'cellar' }).expect(200)
  await thief.post(`/api/devices/${user_code}`, { allow: true }).expect(200)
  return () => h.post('/api/devices/poll', { device_code })
}

/** Returns whether the key for which a code is redeemed, once, can still act. */
function byCode(redeem: () => PromiseLike<{ readonly status: number; readonly body: Actor }>): CanAct {
  let key: string | undefined
  return async () => {
    if (key === undefined) {
      const { status, body } = await redeem()
      if (status !== 200) return false
      key = body.api_key
    }
    return acts(key)
  }
}

const redeemed = (code: string) => () => h.post('/api/agent-codes/redeem', { code, installation_id: 'cellar' })

const FRIEND = { display_name: 'Friend', email: 'friend@example.org' }
/** The operations that lead to a member with an independent credential. */
const INVITES = ['invite_create', 'invite_createBatch']

/** For each operation that issues a credential or the like, how a thief obtains one. */
const WAYS: Readonly<Record<string, Way>> = {
  actor_register: async (thief) => byKey(await agentOf(thief)),
  actor_rotateKey: async (thief) => byKey(await thief.post(`${me()}/rotate-key`).expect(200)),
  token_create: async (thief) => {
    const { token } = await thief.post(TOKENS, { name: 'spare' }).expect(200)
    return () => acts(token)
  },
  agentCode_create: async (thief) => {
    const { code } = await thief.post('/api/agent-codes', { display_name: 'Mole' }).expect(200)
    return byCode(redeemed(code))
  },
  passkey_add: async (thief) => {
    const phone = await addPasskey(thief)
    return async () => {
      const { status, body } = await h.post(PASSKEY, { response: await signedBy(phone, h) })
      return status === 200 && acts(body.token)
    }
  },
  signIn_finishPasskey: async (thief) => {
    const response = await signedBy(await addPasskey(thief), h)
    return bySession((await h.post(PASSKEY, { response }).expect(200)).token)
  },
  identity_beginEmail: async (thief) => {
    const email = newAddress()
    const binding = await requestBinding(thief, email)
    return byCodeOfSession(async () => {
      const bound = await h.post('/api/identities/email/finish', binding)
      return bound.status === 200 ? h.post(EMAIL, await requestSignIn(h, email)) : bound
    })
  },
  identity_bindEmail: async (thief) => {
    const email = newAddress()
    await bindEmail(thief, email)
    const link = await requestSignIn(h, email)
    return byCodeOfSession(() => h.post(EMAIL, link))
  },
  signIn_finishEmail: async (thief) => {
    const email = newAddress()
    await bindEmail(thief, email)
    return bySession((await h.post(EMAIL, await requestSignIn(h, email)).expect(200)).token)
  },
  signIn_code: async (thief) => {
    const redeem = await sessionCode(thief)
    return byCodeOfSession(redeem)
  },
  signIn_redeem: async (thief) => {
    const redeem = await sessionCode(thief)
    return bySession((await redeem()).expect(200).token)
  },
  device_answer: async (thief) => byCodeOfSession(await answeredDevice(thief)),
  device_poll: async (thief) => {
    const poll = await answeredDevice(thief)
    return bySession((await poll()).expect(200).token)
  },
  agentCode_redeem: async (thief) => {
    const { code } = await thief.post('/api/agent-codes', { display_name: 'Mole' }).expect(200)
    return byKey((await redeemed(code)()).expect(200))
  },
  invite_create: async (thief) => {
    const { code } = await thief.post('/api/invites', {}).expect(200)
    return byCode(() => h.post('/api/actors', { ...FRIEND, code }))
  },
  invite_createBatch: async (thief) => {
    const [{ code }] = await thief.post('/api/invites/batch', { emails: [FRIEND.email] }).expect(200)
    return byCode(() => h.post('/api/actors', { ...FRIEND, code }))
  },
  webhook_create: async (thief) => isEnabled((await webhookOf(thief)).webhook_id),
  webhook_change: async (thief) => {
    const { webhook_id } = await webhookOf(h.as(own))
    await thief.patch(`/api/webhooks/${webhook_id}`, { url: 'https://127.0.0.1:10/' }).expect(200)
    return isEnabled(webhook_id)
  },
  webhook_rotateSecret: async (thief) => {
    const { webhook_id } = await webhookOf(h.as(own))
    await thief.post(`/api/webhooks/${webhook_id}/rotate-secret`).expect(200)
    return isEnabled(webhook_id)
  },
  incomingWebhook_create: async (thief) => byHook(await incomingOf(thief)),
  incomingWebhook_rotateSecret: async (thief) => {
    const { incoming_webhook_id } = await incomingOf(h.as(own))
    return byHook(await thief.post(`${space}/incoming-webhooks/${incoming_webhook_id}/rotate-secret`).expect(200))
  },
  event_streamTicket: async (thief) => {
    const { ticket } = await thief.post(`${space}/events/stream/tickets`).expect(200)
    return async () => (await h.get(`${space}/events/stream?token=${ticket}`)).status === 200
  },
  file_ticket: async (thief) => {
    const { file_id } = await h.as(own).post(`${space}/files?name=a`).expect(200)
    await h
      .as(own)
      .post(`${space}/speech`, { text: 'Look', file_ids: [file_id] })
      .expect(200)
    const { ticket } = await thief.post(`${space}/files/${file_id}/tickets`).expect(200)
    return async () => (await h.get(`${space}/files/${file_id}/content?token=${ticket}`)).status === 200
  },
}

/** Chains of several such operations. */
const CHAINS: Readonly<Record<string, Way>> = {
  'the rotated key of an existing agent': async (thief) => {
    const scout = await h.registerAgent(ada)
    return byKey(await thief.post(`/api/actors/${scout.actor_id}/rotate-key`).expect(200))
  },
  'the key of an agent registered with a token of a token': async (thief) => {
    const { token } = await newToken((await newToken(thief.key as string)).token)
    return byKey(await agentOf(h.as(token)))
  },
  'a token created with a key that was rotated twice': async (thief) => {
    const { api_key } = await thief.post(`${me()}/rotate-key`).expect(200)
    const again = await h.as(api_key).post(`${me()}/rotate-key`).expect(200)
    const { token } = await newToken(again.api_key)
    return () => acts(token)
  },
  'the inbox webhook of an agent created by a code': async (thief) => {
    const scopes = ['read', 'write', 'manage']
    const { code } = await thief.post('/api/agent-codes', { display_name: 'Mole', scopes }).expect(200)
    const { api_key, actor_id } = (await redeemed(code)()).expect(200)
    const { webhook_id } = await webhookOf(h.as(api_key), { inbox_of: actor_id })
    return isEnabled(webhook_id)
  },
  'the inbox webhook of an agent whose key was rotated afterwards': async (thief) => {
    const scout = await h.registerAgent(ada, 'Scout', { scopes: ['read', 'write', 'manage'] })
    const path = `/api/actors/${scout.actor_id}/rotate-key`
    const { api_key } = await thief.post(path).expect(200)
    const { webhook_id } = await webhookOf(h.as(api_key), { inbox_of: scout.actor_id })
    await h.as(own).post(path).expect(200)
    return isEnabled(webhook_id)
  },
}

/** Operations that create nothing that can act, or only an actor with an independent credential. */
const NOTHING_THAT_ACTS = [
  ...['audit_checkpoint', 'audit_consistency', 'audit_export', 'audit_proof', 'conversation_start'],
  ...['participant_add', 'participant_remove', 'tenant_privateSpaces', 'tenant_setAccess'],
  ...['claim_take', 'claim_renew', 'claim_release', 'claim_handOver', 'claim_takeOver'],
  ...['claim_progress'],
  ...['actor_change', 'actor_delete', 'actor_connect', 'actor_release', 'actor_stop', 'actor_stopMyAgents'],
  // These re-enable actors that were created or admitted with another credential.
  ...['actor_start', 'actor_enable', 'actor_disable', 'invite_redeem', 'tenant_promote'],
  ...[
    'space_create',
    'space_change',
    'space_archive',
    'space_unarchive',
    'participant_join',
    'participant_leave',
    'policy_set',
    'preference_change',
  ],
  ...['event_speech', 'event_response', 'event_append', 'event_appendBatch', 'thread_start'],
  ...['inbox_done', 'inbox_snooze', 'reaction_add', 'reaction_remove'],
  ...['decision_propose', 'decision_resolve', 'decision_review', 'decision_use', 'link_create', 'link_delete'],
  ...['token_list', 'token_revoke', 'credential_list', 'credential_revoke', 'agentCode_list', 'agentCode_revoke'],
  ...['tenantPolicy_set', 'tenant_create', 'tenant_planMove', 'tenant_leave', 'tenant_removeMember'],
  ...['invite_list', 'invite_revoke', 'audit_list'],
  ...[
    'signIn_ways',
    'signIn_beginOidc',
    'signIn_beginPasskey',
    'signIn_beginEmail',
    'signIn_out',
    'passkey_begin',
    'device_begin',
    'device_get',
  ],
  ...['block_add', 'block_list', 'block_remove', 'file_upload', 'file_delete'],
  ...['picture_set', 'picture_remove'],
  'notification_removeChannel',
  ...['incomingWebhook_change', 'incomingWebhook_delete'],
  ...['webhook_list', 'webhook_get', 'webhook_delete', 'webhook_test', 'webhook_replay'],
]

/** Tested with a provider (`oidc.test.ts`), or with notifications (`notification.test.ts`, `push.test.ts`). */
const ELSEWHERE = ['signIn_finishOidc', 'identity_bind', 'notification_set', 'notification_subscribe']

const SECRETS = ['api_key', 'token', 'code', 'secret', 'ticket']

describe('the list of operations that issue a credential', () => {
  it('is complete: every other operation is listed as one that creates nothing that can act', () => {
    const changing = operations.filter(({ scope, id }) => scope !== 'read' || id in WAYS).map(({ id }) => id)
    expect([...Object.keys(WAYS), ...NOTHING_THAT_ACTS, ...ELSEWHERE].sort()).toEqual(changing.sort())
  })

  it('includes every operation that returns a secret', () => {
    const telling = operations.filter(({ responses }) => {
      const schema = responses[200]?.content['application/json']?.schema
      return schema && SECRETS.some((secret) => secret in (resolved(schema).properties ?? {}))
    })
    expect(telling.filter(({ id }) => !(id in WAYS) && !ELSEWHERE.includes(id)).map(({ id }) => id)).toEqual([])
  })
})

const ENDS: [string, () => Promise<unknown>][] = [
  ['its owner revokes it', async () => h.as(own).delete(`${TOKENS}/${stolen.pat_id}`).expect(200)],
  ['an admin revokes it', async () => h.as(root).delete(`${credentials()}/${stolen.pat_id}`).expect(200)],
  [
    'its owner revokes everything',
    async () => h.as(own).post(`${me()}/rotate-key`, { revoke_tokens: true }).expect(200),
  ],
]

describe.each(Object.entries({ ...WAYS, ...CHAINS }))('a credential obtained with a stolen token: %s', (_way, make) => {
  it.each(ENDS)('stops working when %s', async (_end, end) => {
    const thief = h.as(stolen.token)
    const used = await make(thief)
    expect(await used()).toBe(true)
    const unused = await make(thief)
    await end()
    expect(await h.as(stolen.token).get('/api/actors/me')).toMatchObject({ status: 401 })
    expect(await unused()).toBe(false)
    // A member who redeemed an invite has an independent credential.
    if (!INVITES.some((id) => WAYS[id] === make)) expect(await used()).toBe(false)
  })
})

describe('credentials obtained with a stolen API key', () => {
  /** Without a rotation, which replaces the stolen key itself. */
  const ways = Object.entries(WAYS).filter(([id]) => id !== 'actor_rotateKey')

  async function makeAll(): Promise<Map<string, CanAct>> {
    const made = new Map<string, CanAct>()
    for (const [id, make] of ways) made.set(id, await make(h.as(ada)))
    return made
  }

  async function acting(made: ReadonlyMap<string, CanAct>): Promise<string[]> {
    const ids: string[] = []
    for (const [id, one] of made) if (await one()) ids.push(id)
    return ids
  }

  it('stop working when the key is revoked', async () => {
    const made = await makeAll()
    const { ended } = await h.as(root).delete(`${credentials()}/api_key`).expect(200)
    expect(await acting(made)).toEqual([])
    // Ada's own tokens descend from the key, too; only the operator can issue another one.
    await h.as(own).get('/api/actors/me').expect(401)
    expect(ended.items.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      ...[
        'agent',
        'agent',
        'agent',
        'agent',
        'agent_code',
        'identity',
        'identity',
        'invite',
        'invite',
        'passkey',
        'passkey',
        'session',
        'session',
        'session',
        'session',
        'token',
        'token',
        'token',
        'webhook',
        'webhook',
        'webhook',
      ],
    ])
  })

  it('keep working when the key is rotated, and stop when all credentials are revoked', async () => {
    const made = await makeAll()
    const { api_key, ended } = await h.as(ada).post(`${me()}/rotate-key`).expect(200)
    expect(ended).toBeUndefined()
    // These are bound to the secret that created them.
    const ofSecret = ['event_streamTicket', 'file_ticket', 'identity_beginEmail', 'signIn_code', 'device_answer']
    expect(await acting(made)).toEqual(ways.map(([id]) => id).filter((id) => !ofSecret.includes(id)))
    await h.as(api_key).post(`${me()}/rotate-key`, { revoke_tokens: true }).expect(200)
    expect(await acting(made)).toEqual(INVITES)
  })
})
