import { randomUUID } from 'node:crypto'
import type { ConnectionOptions } from '@collab-spaces/db'
import { type Actor, type Answer, type Client, eventually, Pending, png } from '@collab-spaces/testing'
import { newcomerFrom, newVerifier, sharedProvider } from '@collab-spaces/testing/identity-provider'
import { Authenticator, addPasskey, signedBy } from './authenticator.js'
import { type Operation, operations, resolved, type Schema } from './document.js'
import { bindEmail, requestBinding, requestSignIn } from './email-link.js'
import { makeAdmin, moveInto } from './tenant.js'

/** A valid request of an operation. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
}

type Values = Readonly<Record<string, unknown>>

/** Fields of a body or query that refer to existing objects. */
export const REFERENCES: Readonly<Record<string, string>> = {
  claim_id: 'claim_id',
  code: 'code',
  default_space_id: 'space_id',
  linked_to: 'space_id',
  parent_event_id: 'event_id',
  space_id: 'space_id',
  supersedes: 'decision_id',
  target_id: 'space_id',
  thread_id: 'thread_id',
}

/** Names in paths that differ from the names in answers. */
const CALLED: Readonly<Record<string, string>> = { credential_id: 'pat_id' }

const newId = () => `new-${randomUUID()}`

/** Values that the document cannot express, by operation, for parameters, query and body alike. */
const GIVEN: Readonly<Record<string, (world: World) => Values | Promise<Values>>> = {
  // A human would need an address; an agent needs nothing more, and its sponsor may do everything with it.
  actor_register: () => ({ actor_type: 'agent' }),
  // The id of the new space.
  space_create: () => ({ space_id: newId() }),
  // An item for the inbox, by another actor.
  inbox_get: async (world) => {
    const { actor_id } = await world.owner.get('/api/actors/me').expect(200)
    const agent = await world.owner.post('/api/actors', { actor_type: 'agent', display_name: newId() }).expect(200)
    const event = { text: newId(), metadata: { mentions: [actor_id] } }
    await world.owner
      .as(agent)
      .post(`/api/spaces/${await world.id('space_id')}/response`, event)
      .expect(200)
    return {}
  },
  // The snoozed item has to be in the inbox.
  inbox_snooze: async (world) => {
    const { actor_id } = await world.owner.get('/api/actors/me').expect(200)
    const agent = await world.owner.post('/api/actors', { actor_type: 'agent', display_name: newId() }).expect(200)
    const space_id = await world.id('space_id')
    const event = { text: newId(), metadata: { mentions: [actor_id] } }
    const { event_id } = await world.owner.as(agent).post(`/api/spaces/${space_id}/response`, event).expect(200)
    return { items: [{ space_id, event_id }] }
  },
  // It needs one of two targets, a new one each time.
  link_create: async (world) => {
    const target_id = newId()
    await world.owner.post('/api/spaces', { space_id: target_id }).expect(200)
    return { target_id }
  },
  // It needs an event or a decision.
  thread_start: async (world) => ({ parent_event_id: await world.id('event_id') }),
  // Owners have to exist.
  space_change: async (world) => {
    const { actor_id } = await world.owner.get('/api/actors/me').expect(200)
    return { owners: [actor_id] }
  },
  // Its own archived space, as all else needs an active one.
  space_unarchive: async (world) => {
    const space_id = newId()
    await world.owner.post('/api/spaces', { space_id }).expect(200)
    await world.owner.post(`/api/spaces/${space_id}/archive`).expect(200)
    return { space_id }
  },
  // It needs valid addresses.
  invite_createBatch: () => ({ emails: ['bob@example.org'] }),
  // Each takes a code of its own kind, which can be redeemed once.
  invite_redeem: async (world) => {
    const { code } = await world.owner.post('/api/invites', {}).expect(200)
    return { code }
  },
  agentCode_redeem: async (world) => {
    const { code } = await world.owner.post('/api/agent-codes', { display_name: newId() }).expect(200)
    return { code }
  },
  // Values from the identity provider, or from an authenticator.
  signIn_beginOidc: async () => {
    await sharedProvider()
    return { challenge: newVerifier().challenge }
  },
  signIn_finishOidc: broughtBack,
  identity_bind: broughtBack,
  // A new account each time, because passkeys per account are limited.
  signIn_finishPasskey: async ({ owner }) => {
    const human = owner.as(await owner.registerHuman())
    return { response: await signedBy(await addPasskey(human), human) }
  },
  passkey_add: async (world) => {
    const { passkeys } = await world.owner.get('/api/sign-in').expect(200)
    const { options } = await world.owner.post('/api/passkeys/begin').expect(200)
    return { response: new Authenticator(passkeys.origin).register(options) }
  },
  signIn_beginEmail: newRequest,
  signIn_finishEmail: async ({ owner }) => {
    const { email } = newRequest()
    await bindEmail(owner.as(await owner.registerHuman()), email)
    return { ...(await requestSignIn(owner, email)) }
  },
  identity_beginEmail: newRequest,
  identity_bindEmail: async ({ owner }) => ({ ...(await requestBinding(owner, newRequest().email)) }),
  signIn_code: () => ({ challenge: newVerifier().challenge }),
  signIn_redeem: async (world) => {
    const { verifier, challenge } = newVerifier()
    const { code } = await world.owner.post('/api/sign-in/codes', { challenge, name: newId() }).expect(200)
    return { code, verifier }
  },
  device_poll: async (world) => {
    const { device_code } = await world.owner.post('/api/devices', { name: newId() }).expect(200)
    return { device_code }
  },
  // A part of every generated text.
  search_events: async (world) => {
    await world.id('event_id')
    return { q: 'new' }
  },
  event_revisions: async (world) => {
    const speech = `/api/spaces/${await world.id('space_id')}/speech`
    const { event_id } = await world.owner.post(speech, { text: 'Teh plan' }).expect(200)
    await world.owner.post(speech, { text: 'The plan', corrects: event_id }).expect(200)
    return { event_id }
  },
  // Shows an event.
  context_get: async (world) => {
    await world.id('event_id')
    return {}
  },
  search_decisions: async (world) => {
    await world.id('decision_id')
    return { q: 'new' }
  },
  // It needs a space or an inbox, and an allowed address, which has no listener.
  webhook_create: async (world) => ({ url: 'https://127.0.0.1:9/', space_id: await world.id('space_id') }),
  // New events are sealed a moment later.
  log_checkpoint: sealedLog,
  log_consistency: sealedLog,
  log_export: sealedLog,
  log_proof: async (world) => {
    const event_id = await world.id('event_id')
    const space_id = await world.id('space_id')
    await answered(world, `/api/spaces/${space_id}/log/proof?event_id=${event_id}`)
    return { event_id }
  },
  audit_checkpoint: sealedAudit,
  audit_consistency: sealedAudit,
  audit_export: sealedAudit,
  audit_proof: async (world) => {
    const [{ entry_id }] = await world.owner.get('/api/audit').expect(200)
    await answered(world, `/api/audit/log/proof?entry_id=${entry_id}`)
    return { entry_id }
  },
  // Its key has to be a point on a curve.
  notification_subscribe: () => ({
    endpoint: 'https://127.0.0.1:9/browser',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  }),
  // A valid image, and for reads an actor with a picture.
  picture_set: () => ({ content: png().toString('base64') }),
  picture_list: pictured,
  picture_content: pictured,
  webhook_replay: () => ({ since: 'beginning' }),
  credential_revoke: async (world) => {
    const { actor_id } = await world.owner.get('/api/actors/me').expect(200)
    return { actor_id, credential_id: await world.id('pat_id') }
  },
  participant_add: async (world) => ({ actor_id: await world.id('actor_id') }),
  participant_remove: async (world) => {
    const actor_id = await world.id('actor_id')
    await world.owner.post(`/api/spaces/${await world.id('space_id')}/participants`, { actor_id }).expect(200)
    return { actor_id }
  },
  // A resolved decision with an action.
  decision_use: async (world) => resolvedDecision(world.owner, await world.id('space_id')),
  conversation_start: async (world) => ({ actor_ids: [await world.id('actor_id')] }),
  block_list: async (world) => {
    await world.owner.put(`/api/actors/me/blocks/${await world.id('actor_id')}`).expect(200)
    return {}
  },
  block_remove: async (world) => {
    const actor_id = await world.id('actor_id')
    await world.owner.put(`/api/actors/me/blocks/${actor_id}`).expect(200)
    return { actor_id }
  },
  // It needs exactly one of three subjects.
  claim_take: () => ({ key: newId() }),
  claim_handOver: async (world) => {
    const { actor_id } = await world.owner.get('/api/actors/me').expect(200)
    return { to: actor_id }
  },
  tenant_promote: otherMember,
  tenant_setAccess: otherMember,
  tenant_removeMember: otherMember,
  // The path names a thread by an event it has.
  thread_get: async (world) => ({ event_id: await world.id('thread_id') }),
}

/** Returns a new address each time, because links per mailbox are limited. */
function newRequest() {
  return { email: `${newId()}@example.org`, challenge: newVerifier().challenge }
}

/** Steps after the creation of an object, before other actors can see it. */
const FOLLOWED: Readonly<Record<string, (world: World, id: string) => Promise<void>>> = {
  // Until an event names a file, only its uploader sees it.
  file_id: async (world, file_id) => {
    const event = { text: newId(), file_ids: [file_id] }
    await world.owner.post(`/api/spaces/${await world.id('space_id')}/speech`, event).expect(200)
  },
}

async function resolvedDecision(owner: Client, space_id: string): Promise<Values> {
  const path = `/api/spaces/${space_id}/decisions`
  const action = { type: 'deploy', arguments: {} }
  const sent = { proposed_by: newId(), text: newId(), action }
  const {
    decision_id,
    action: { digest },
  } = await owner.post(path, sent).expect(200)
  const settlement = { resolved_by: newId(), resolution: newId(), status: 'resolved' }
  const resolve = () => owner.put(`${path}/${decision_id}/resolve`, settlement)
  if ((await resolve()).status === 200) return { decision_id, digest }
  // The space requires an approval of another side.
  const { code } = await owner.post('/api/invites', {}).expect(200)
  const grace = await owner.post('/api/actors', { display_name: newId(), email: 'grace@example.org', code }).expect(200)
  await owner.as(grace).post(`${path}/${decision_id}/reviews`, { verdict: 'approve' }).expect(200)
  await resolve().expect(200)
  return { decision_id, digest }
}

/** Waits until something is sealed. */
const answered = (world: World, path: string) => eventually(async () => (await world.owner.get(path)).status === 200)

/** Gives an actor a picture, unless it is another human. */
async function pictured(world: World): Promise<Values> {
  const actor_id = await world.id('actor_id')
  await world.owner.put(`/api/actors/${actor_id}/picture`, { content: png().toString('base64') })
  return { actor_ids: actor_id }
}

async function sealedLog(world: World): Promise<Values> {
  await answered(world, `/api/spaces/${await world.id('space_id')}/log/checkpoint`)
  return {}
}

async function sealedAudit(world: World): Promise<Values> {
  await answered(world, '/api/audit/log/checkpoint')
  return {}
}

async function broughtBack(world: World): Promise<Values> {
  return { ...(await newcomerFrom(world.owner.as(undefined))) }
}

/** Registers another human in the tenant with an invite. */
async function otherMember(world: World): Promise<Values> {
  const { code } = await world.owner.post('/api/invites', {}).expect(200)
  const { actor_id } = await world.owner
    .post('/api/actors', { display_name: newId(), email: 'grace@example.org', code })
    .expect(200)
  return { actor_id }
}

/**
 * One object of each kind that operations refer to, created through the API when it is first needed: the id `x_id`
 * comes from the operation whose answer has it. So a new operation can be called once it is in the document.
 */
export class World {
  /** An emoji in a path is no id: any will do. */
  readonly #ids = new Map([['emoji', Promise.resolve(encodeURIComponent('👍'))]])

  constructor(
    readonly owner: Client,
    ids: Readonly<Record<string, string>> = {},
  ) {
    for (const [name, id] of Object.entries(ids)) this.#ids.set(name, Promise.resolve(id))
  }

  id(asked: string): Promise<string> {
    const name = CALLED[asked] ?? asked
    const id = this.#ids.get(name) ?? this.#make(name)
    this.#ids.set(name, id)
    return id
  }

  /** Returns the ids of all parameters of paths, by name. */
  async everything(): Promise<Record<string, string>> {
    const names = new Set(operations.flatMap((operation) => operation.names))
    return Object.fromEntries(await Promise.all([...names].map(async (name) => [name, await this.id(name)] as const)))
  }

  /** Returns a minimal valid request; `instead` replaces ids of the path. */
  async request(operation: Operation, instead: Readonly<Record<string, string>> = {}): Promise<Request> {
    const given = { ...(await GIVEN[operation.id]?.(this)) } as Record<string, unknown>
    let path = operation.path
    for (const name of operation.names) {
      path = path.replace(`{${name}}`, instead[name] ?? String(given[name] ?? (await this.id(name))))
    }
    const query = operation.query
      .filter(({ name, required }) => required || name in given)
      .map(({ name, schema }) => `${name}=${encodeURIComponent(String(given[name] ?? exampleOf(schema)))}`)
    if (query.length > 0) path += `?${query.join('&')}`
    return { method: operation.method, path, body: operation.body && (await this.#body(operation.body, given)) }
  }

  /** Performs an operation as the owner. */
  perform(operation: Operation): Pending<Answer> {
    const answer = async () => {
      const { method, path, body } = await this.request(operation)
      // The only body that is not JSON.
      return this.owner.send(method, path, operation.id === 'file_upload' ? newId() : body)
    }
    return new Pending(answer())
  }

  async #body(schema: Schema, given: Values): Promise<Values> {
    const { properties = {}, required = [] } = resolved(schema)
    const body: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(properties)) {
      const reference = REFERENCES[name]
      if (name in given) body[name] = given[name]
      else if (!required.includes(name)) continue
      else body[name] = reference ? await this.id(reference) : exampleOf(field)
    }
    return body
  }

  async #make(name: string): Promise<string> {
    const maker = operations.find(
      (operation) => operation.method === 'POST' && !operation.names.includes(name) && hasId(operation, name),
    )
    if (!maker) throw new Error(`No operation makes a ${name}: hand one to the World, or say in GIVEN where it is from`)
    const id = (await this.perform(maker).expect(200))[name]
    await FOLLOWED[name]?.(this, id)
    return id
  }
}

/** Creates a world with a new actor, an admin of the tenant, who may call every operation. */
export async function openWorld(
  client: Client,
  connection: ConnectionOptions,
  tenantId: string,
): Promise<{ actor: Actor; world: World }> {
  const actor = await client.registerHuman()
  await moveInto(connection, tenantId, actor)
  await makeAdmin(connection, actor)
  return { actor, world: new World(client.as(actor), { tenant_id: tenantId }) }
}

/** Returns whether the answer always has this id. */
function hasId({ responses }: Operation, name: string): boolean {
  const schema = responses[200]?.content['application/json']?.schema
  if (schema === undefined) return false
  const { properties, required = [] } = resolved(schema)
  return required.includes(name) && properties?.[name]?.type === 'string'
}

/** Returns a value of a schema. Text is new each time, in a form that ids and labels accept. */
export function exampleOf(shown: Schema): unknown {
  const schema = resolved(shown)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return schema.format === 'date-time' ? new Date().toISOString() : newId()
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items as Schema))
    default:
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] as Schema)]),
      )
  }
}
