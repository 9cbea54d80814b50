import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionOptions } from '@collab-spaces/db'
import { query } from '@collab-spaces/testing/programs'
import { EventIds } from '../load/event-ids.js'
import { StreamReader } from '../load/stream-reader.js'
import type { Row } from '../row.js'
import { HeldRequest } from '../service/held-request.js'
import { must, type OutgoingRequest, send } from '../service/http.js'
import type { Instance } from '../service/instance.js'
import { register, registerTenant } from '../service/people.js'
import type { Trial } from '../trial.js'

const STREAM_END_TIMEOUT_MS = 1_500
/** As documented in the API reference. */
const SPACE_STREAM_END_TIMEOUT_MS = 1_000
/** A body that arrives later was not in transit. */
const HELD_MS = 150

export const revokedCredentials: Row = {
  name: 'H2',
  title: 'revoked credentials, and removal from a private space',
  about:
    'Through one of two instances a key is rotated, a token revoked, an actor deleted, a tenant suspended, or an actor is ' +
    'removed from a private space, while requests with that credential are held open, repeated and streamed through ' +
    'both. Later requests and bodies get 401 or 403, or 404 for the space, and change nothing. Streams end ' +
    'within a second and a half, those of the space within one.',
  async run(trial) {
    const { connection, instances } = await trial.cluster(2)
    let ends = 0
    const tally: Tally = { held: 0, repeated: 0, slowest: 0 }
    while (trial.hasTimeFor(ends / ENDS.length)) {
      const end = ENDS[ends++ % ENDS.length] as End
      await endOne(trial, connection, instances, end, tally)
    }
    const { held, repeated, slowest } = tally
    return {
      ends,
      'held requests': held,
      'repeated requests': repeated,
      'slowest end of a stream ms': Math.round(slowest),
    }
  },
}

interface Tally {
  held: number
  repeated: number
  slowest: number
}

/** An actor that loses a credential, or access to a private space. */
interface Victim {
  readonly actorId: string
  readonly key: string
  readonly token: string
  readonly tokenId: string
  /** A private space that it owns. */
  readonly space: string
}

interface End {
  readonly name: string
  /** Returns the credential that it revokes. */
  readonly ended: (victim: Victim) => string
  readonly act: (url: string, victim: Victim, connection: ConnectionOptions) => Promise<unknown>
  /** Whether it only ends the victim's access to the space. */
  readonly isOfSpace?: true
}

const ENDS: readonly End[] = [
  {
    name: 'a rotation',
    ended: ({ key }) => key,
    act: (url, { actorId, key }) => must(url, { path: `/api/actors/${actorId}/rotate-key`, key, body: {} }),
  },
  {
    name: 'a revocation',
    ended: ({ token }) => token,
    act: (url, { tokenId, key }) =>
      must(url, { method: 'DELETE', path: `/api/personal-access-tokens/${tokenId}`, key }),
  },
  {
    name: 'a deletion',
    ended: ({ token }) => token,
    act: (url, { actorId, key }) => must(url, { method: 'DELETE', path: `/api/actors/${actorId}`, key }),
  },
  {
    name: 'a suspension',
    ended: ({ key }) => key,
    // The statement of the operator's command.
    act: (_url, { actorId }, connection) =>
      query(
        connection,
        `UPDATE tenants SET status = 'suspended' WHERE tenant_id = (SELECT tenant_id FROM actors WHERE actor_id = $1)`,
        [actorId],
      ),
  },
  {
    name: 'a removal',
    ended: ({ key }) => key,
    act: async (url, victim) => {
      const path = `/api/spaces/${victim.space}/participants/${victim.actorId}`
      return must(url, { method: 'DELETE', path, key: await otherOwner(url, victim) })
    },
    isOfSpace: true,
  },
]

/** Requests that must not outlive their authorization. */
const makersInSpace = ({ space }: Victim): OutgoingRequest[] => [
  { path: `/api/spaces/${space}/speech`, body: { text: 'too late' } },
  { path: `/api/spaces/${space}/events/batch`, body: { events: [{ text: 'x', speaker_id: 's', speaker_name: 'S' }] } },
  { path: `/api/spaces/${space}/decisions`, body: { text: 'too late', proposed_by: 'Ada' } },
]
const makersBesides = ({ actorId }: Victim): OutgoingRequest[] => [
  { path: '/api/spaces', body: { space_id: 'too-late' } },
  { path: '/api/personal-access-tokens', body: { name: 'too late' } },
  { path: `/api/actors/${actorId}/rotate-key`, body: {} },
  { path: '/api/actors', body: { display_name: 'Too Late', actor_type: 'agent' } },
  { path: '/api/tenants', body: { name: 'Too Late' } },
  { path: '/api/invites', body: {} },
]

async function endOne(
  trial: Trial,
  connection: ConnectionOptions,
  instances: readonly Instance[],
  end: End,
  tally: Tally,
): Promise<void> {
  const url = () => trial.pick(instances).url
  const victim = await newVictim(url())
  const key = end.ended(victim)
  const between = (least: number, most: number) => trial.between(least, most)
  const stream = new StreamReader(victim.space, { url, key, between }, new EventIds()).start()
  trial.cleanup.add(() => stream.stop())
  const isRefusal = (status: number) => (end.isOfSpace ? status === 404 : status === 401 || status === 403)
  const makers = [...makersInSpace(victim), ...(end.isOfSpace ? [] : makersBesides(victim))]
  const held = await Promise.all(makers.map((maker) => HeldRequest.begin(url(), { ...maker, key })))
  const begunHolding = performance.now()
  let endedAt = Number.POSITIVE_INFINITY
  const repeating = instances.map(async (instance) => {
    for (let isOver = false; !isOver; isOver = performance.now() > endedAt + 300) {
      const begun = performance.now()
      const { status } = await send(instance.url, { path: `/api/spaces/${victim.space}/status`, key })
      tally.repeated++
      const mayPass = begun < endedAt
      trial.require(mayPass || isRefusal(status), `after ${end.name} a request that began later was answered ${status}`)
    }
  })
  // Some of them are authorized by then.
  await delay(trial.between(0, 300))
  await end.act(url(), victim, connection)
  endedAt = performance.now()
  const before = await everything(connection)
  await delay(Math.max(0, begunHolding + HELD_MS * trial.sizes.slack - performance.now()))
  for (const request of held) {
    const { status, text } = await request.finish()
    tally.held++
    trial.require(isRefusal(status), `after ${end.name} a held request was answered ${status} ${text}`)
  }
  trial.require((await everything(connection)) === before, `after ${end.name} a held request has made something`)
  const took = await stream.timeToEnd(endedAt)
  tally.slowest = Math.max(tally.slowest, took)
  const allowed = end.isOfSpace ? SPACE_STREAM_END_TIMEOUT_MS : STREAM_END_TIMEOUT_MS
  trial.requireWithin(allowed, took, `after ${end.name} a stream was open for`)
  await Promise.all(repeating)
  await stream.stop()
}

async function newVictim(url: string): Promise<Victim> {
  const { actorId, key } = await registerTenant(url, 'Ada')
  const space = `space-${actorId}`
  await must(url, { path: '/api/spaces', key, body: { space_id: space, visibility: 'private' } })
  const body = { name: 'laptop' }
  const { token, pat_id } = await must<{ token: string; pat_id: string }>(url, {
    path: '/api/personal-access-tokens',
    key,
    body,
  })
  return { actorId, key, token, tokenId: pat_id, space }
}

/** Makes another actor an owner of the victim's space. Returns its key. */
async function otherOwner(url: string, { key, space }: Victim): Promise<string> {
  const { code } = await must<{ code: string }>(url, { path: '/api/invites', key, body: {} })
  const other = await register(url, 'Grace')
  await must(url, { path: '/api/invites/redeem', key: other.key, body: { code } })
  const body = { actor_id: other.actorId, role: 'owner' }
  await must(url, { path: `/api/spaces/${space}/participants`, key, body })
  return other.key
}

/** Returns the numbers of all kinds of objects, and all keys. */
async function everything(connection: ConnectionOptions): Promise<string> {
  const { rows } = await query(
    connection,
    `SELECT (SELECT count(*) FROM personal_access_tokens) AS tokens, (SELECT count(*) FROM tenants) AS tenants,
       (SELECT count(*) FROM invites) AS invites, (SELECT count(*) FROM actors) AS actors,
       (SELECT count(*) FROM spaces) AS spaces, (SELECT count(*) FROM events) AS events,
       (SELECT count(*) FROM decisions) AS decisions,
       (SELECT md5(string_agg(k.key_hash::text, '' ORDER BY k.key_hash)) FROM api_keys k) AS keys`,
  )
  return JSON.stringify(rows)
}
