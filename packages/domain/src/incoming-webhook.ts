import type { ActorRef } from './actor.js'
import { conflict, forbidden, invalid } from './errors.js'
import { isJsonObject, type JsonObject, MalformedValue } from './json.js'
import { LIMITS } from './limits.js'

/** The forms of the requests that an incoming webhook takes. */
export const INCOMING_FORMATS = ['json', 'slack', 'standard', 'github'] as const
export type IncomingFormat = (typeof INCOMING_FORMATS)[number]

/** Whether senders sign their requests with the secret. Others send it, in the address or as a bearer token. */
export const isSigned = (format: IncomingFormat): boolean => format === 'standard' || format === 'github'

/** The place of a state among those of the same thing, as its sender states it: by time, and by numbers within a second. */
export interface StatedOrder {
  readonly at: string
  readonly sequence: readonly number[]
}

/** Whether one state is older than another. Without two stated orders, the order of arrival counts. */
export function isOlder(one: StatedOrder | null, other: StatedOrder | null): boolean {
  if (one === null || other === null) return false
  if (one.at !== other.at) return one.at < other.at
  const differing = one.sequence.findIndex((number, index) => number !== other.sequence[index])
  return differing >= 0 && (one.sequence[differing] ?? 0) < (other.sequence[differing] ?? 0)
}

/** Returns the order that the metadata of an event has of its request; null for none. */
export function orderIn(metadata: unknown): StatedOrder | null {
  const order = valueAt(metadata, ['incoming_webhook', 'order'])
  if (!isJsonObject(order) || typeof order.at !== 'string' || !Array.isArray(order.sequence)) return null
  return order.sequence.every(Number.isSafeInteger) ? { at: order.at, sequence: order.sequence as number[] } : null
}

/** A message of an incoming webhook. */
export interface IncomingMessage {
  readonly text: string
  /** Messages with the same key are in one thread, on the first of them. */
  readonly thread?: { readonly key: string; readonly subject: string } | undefined
  /** A message with the key of an earlier one corrects it, unless it states an older state. Such messages start no thread. */
  readonly correction?: { readonly key: string; readonly order: StatedOrder | null } | undefined
  /** The logins that it names, of people in the service of the sender. */
  readonly logins?: readonly string[] | undefined
  /** Checked as those of any event. */
  readonly references?: unknown
  readonly metadata?: unknown
}

/** What a request says; a null message for one that nothing is posted of. */
export interface IncomingRequest {
  /** Such as `pull_request.opened`, for the list of deliveries. */
  readonly kind: string
  readonly message: IncomingMessage | null
}

/** The outcome of a request whose sender knew the secret. */
export interface IncomingDelivery {
  readonly received_at: string
  readonly kind: string | null
  /** The sender's id of it; null if it sent none. */
  readonly delivery_id: string | null
  readonly status: number
  /** Null if nothing was posted. */
  readonly event_id: string | null
  readonly error: string | null
}

/** Reads the stored deliveries of a webhook. Throws a `MalformedValue`. */
export function storedDeliveries(value: unknown): IncomingDelivery[] {
  if (Array.isArray(value) && value.every((each) => isJsonObject(each) && typeof each.received_at === 'string')) {
    return value as unknown as IncomingDelivery[]
  }
  throw new MalformedValue('must be a list of deliveries')
}

/** 409 beyond the limit of a space. */
export function requireIncomingLeft(count: number): void {
  if (count < LIMITS.incomingWebhooks) return
  throw conflict(`A space can have at most ${LIMITS.incomingWebhooks} incoming webhooks: delete one first`)
}

/** 403 for other owners: its secret would let them post as the agent of its maker. */
export function requireMaker({ actorId }: ActorRef, { sponsorId }: { readonly sponsorId: string | null }): void {
  if (sponsorId !== actorId) throw forbidden('Only the human who made the incoming webhook may do this')
}

/** Logins of people in another service, each with the id of an actor. */
export type IncomingPeople = Readonly<Record<string, string>>

/** Reads the stored people of a webhook. Throws a `MalformedValue`. */
export function storedPeople(value: unknown): IncomingPeople {
  if (isJsonObject(value) && Object.values(value).every((id) => typeof id === 'string')) return value as IncomingPeople
  throw new MalformedValue('must be an object of ids')
}

/** Returns the actors that logins stand for, in any case, each once. */
export function actorsOf(people: IncomingPeople, logins: readonly string[] = []): readonly string[] {
  const wanted = new Set(logins.map((login) => login.toLowerCase()))
  const found = Object.entries(people).filter(([login]) => wanted.has(login.toLowerCase()))
  const actors = [...new Set(found.map(([, actorId]) => actorId))]
  return actors.slice(0, LIMITS.mentions)
}

/** 400 for people of a format whose messages name none. */
export function requirePeopleFit(format: IncomingFormat, people: IncomingPeople | undefined): void {
  if (!people || Object.keys(people).length === 0 || format === 'github' || format === 'slack') return
  throw invalid('people', 'is for the formats github and slack only')
}

/** 400 for a template of a format that takes none. */
export function requireTemplateFits(format: IncomingFormat, template: string | null | undefined): void {
  if (template && format !== 'standard') throw invalid('template', 'is for the format standard only')
}

/** The place of a value in a template. */
const PLACEHOLDER = /\{\{\s*([\w$-]+(?:\.[\w$-]+)*)\s*\}\}/g

/**
 * Returns a template with the values of a body in the place of its `{{path.to.value}}`. Values after the longest text of an
 * event are left out, as a template can name a long one hundreds of times.
 */
export function filledTemplate(template: string, body: JsonObject): string {
  // A code point has at most two UTF-16 units.
  let room = 2 * LIMITS.text
  return template.replace(PLACEHOLDER, (_, path: string) => {
    const shown = room > 0 ? shownValue(valueAt(body, path.split('.'))) : ''
    room -= shown.length
    return shown
  })
}

function shownValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns the value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}
