import type { Answer } from '@collab-spaces/testing'

/** The number of entries of a list in an example. */
const ENTRIES = 1

const TIME = '2026-01-05T09:00:00.000Z'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const MADE = '019b8db4-e219-79c0-81de'
const SECRET_NAME =
  /code|secret|ticket|token|key|challenge|signature|hash|root|nonce|state|checkpoint|proof|p256dh|auth/

/** Returns an answer as an example: variable parts get fixed values of their form, so that no key is real. */
export function exampleOfAnswer(answer: Answer): unknown {
  const ids = new Map<string, string>()
  return fixed(answer.body, '', ids)
}

function fixed(value: unknown, name: string, ids: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.slice(0, ENTRIES).map((entry) => fixed(entry, name, ids))
  if (typeof value === 'string') return fixedText(value, name, ids)
  if (name === 'duration_ms') return 12
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fixed(entry, key, ids)]))
}

function fixedText(text: string, name: string, ids: Map<string, string>): string {
  if (name === 'display_name' && text.startsWith('new-')) return 'Scout'
  // An address of the identity provider.
  if (text.includes('client_id=')) return `https://login.example.org${new URL(text).pathname}?client_id=spaces`
  const known = text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, TIME)
    .replace(/(127\.0\.0\.1|localhost)(:|%3A)\d+/g, '$1$28080')
    .replace(/\b(?:usr|agt|lnk|pat)_\w{20,}/g, blank)
    .replace(/\b(?!usr|agt|lnk|pat)[a-z]{3}_[A-Za-z0-9]{24}\b/g, blank)
    .replace(/[A-Za-z0-9+/]{40,}=*/g, blank)
    .replace(UUID, (id) => fixedId(id, ids))
  if (SECRET_NAME.test(name) && /[\dA-Z]/.test(text) && !known.includes(MADE)) return blank(known)
  return known.replace(/[\w+=-]{16,}/g, (run) => (/\d/.test(run) && !run.includes(MADE) ? blank(run) : run))
}

/** Returns the same fixed ID for the same ID of an answer. */
function fixedId(id: string, ids: Map<string, string>): string {
  const made = ids.get(id) ?? `${MADE}-${String(ids.size + 1).padStart(12, '0')}`
  ids.set(id, made)
  return made
}

/** Returns text of the same form, with its prefix. */
function blank(text: string): string {
  const prefix = /^(?:svc_(?:pat_|ticket_)?|usr_|agt_|lnk_|pat_|whsec_|state=)/.exec(text)?.[0] ?? ''
  const rest = text.slice(prefix.length)
  return prefix + rest.replace(/[\w+/-]/g, /^[0-9a-f]+$/.test(rest) ? '0' : 'A')
}
