import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Actor, Client } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { validatorOf } from './support/conformance.js'
import { documentOf, operations } from './support/document.js'
import { exampleOfAnswer } from './support/response-examples.js'
import { useServer } from './support/server.js'
import { foundTenant } from './support/tenant.js'
import { openWorld } from './support/world.js'

const h = useServer()

/** Placeholders for values that only a response contains. */
const TOLD = /"the \w+ of an? /

describe('the examples of the document', () => {
  it('exist for every body, and are valid requests', async () => {
    const { paths } = documentOf(h.url)
    const ada: Actor = await h.registerHuman()
    const { tenant_id } = await h.as(ada).post('/api/tenants', { name: 'Analysts' }).expect(200)
    const member = async (display_name: string) => {
      const { code } = await h.as(ada).post('/api/invites', {}).expect(200)
      return h.post('/api/actors', { display_name, email: 'member@example.org', code }).expect(200)
    }
    // One of them becomes an admin, who cannot be a guest.
    const [bob, carol] = [await member('Bob'), await member('Carol')]
    const agent: Actor = await h.registerAgent(ada)
    /** Parameters of paths that have no example. Members are human; all else is about an agent. */
    const known: Record<string, string> = { tenant_id }
    const actorOf = (path: string) =>
      (path.endsWith('/access') ? carol : path.includes('/members/') ? bob : agent).actor_id
    const missing: string[] = []
    let sent = 0

    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(methods)) {
        // The body of an upload is a file.
        if (!requestBody || operationId === 'file_upload') continue
        const example = requestBody.content['application/json']?.example
        if (!example) missing.push(operationId)
        if (!example || TOLD.test(JSON.stringify(example))) continue
        const examples = new Map(parameters.map(({ name, example }) => [name, example ?? known[name]]))
        const target = path
          .replace('{actor_id}', actorOf(path))
          .replace(/\{(\w+)\}/g, (_, name) => examples.get(name) ?? '')
        // Another tenant would invalidate the known ids.
        const sender = operationId === 'tenant_create' ? await h.registerHuman() : senderOf(operationId, ada)
        const answer = await new Client(h.url, sender?.api_key).send(method.toUpperCase(), target, example)
        const body = answer.expect(200)
        for (const name of ['decision_id', 'webhook_id', 'incoming_webhook_id', 'user_code', 'claim_id'])
          known[name] ??= body?.[name]
        sent += 1
      }
    }
    expect(missing).toEqual([])
    expect(sent).toBeGreaterThan(10)
  })
})

/** A registration needs no actor. */
const senderOf = (operationId: string, ada: Actor) => (operationId === 'actor_register' ? undefined : ada)

const FILE = '../../../packages/api/src/response-examples.json'

/** Returns the fields of an answer without their values. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return true
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fieldsOf(entry)]))
}

it('examples of responses have the fields of real ones, and are rewritten with --update', async () => {
  const examples: Record<string, unknown> = {}
  for (const operation of operations) {
    if (!operation.responses[200]?.content?.['application/json']) continue
    const tenant = await foundTenant(h.connection)
    const { world } = await openWorld(h, h.connection, tenant)
    // Adds an entry to the security log.
    if (operation.id.startsWith('audit_')) await world.owner.post('/api/invites', {}).expect(200)
    const answer = await world.perform(operation)
    answer.expect(200)
    if (answer.text === '') continue
    examples[operation.id] = exampleOfAnswer(answer)
  }
  const kept = JSON.parse(await readFile(new URL(FILE, import.meta.url), 'utf8'))
  if (isDeepStrictEqual(fieldsOf(examples), fieldsOf(kept))) return
  await expect(`${JSON.stringify(examples, null, 2)}\n`).toMatchFileSnapshot(FILE)
})

it.each(operations.map((operation) => [operation.id, operation] as const))(
  'the example of a response fits its schema: %s',
  (_id, operation) => {
    const example = operation.responses[200]?.content?.['application/json']?.example
    if (example === undefined) return
    const validate = validatorOf(operation, 200)
    validate(example)
    expect(validate.errors ?? []).toEqual([])
  },
)
