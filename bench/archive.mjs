import { mkdir, readFile, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@collab-spaces/client'
import { Service } from './service.mjs'

/** @import { SpaceOutline, Speaker } from '@collab-spaces/testing/history' */
/** @import { Human } from './service.mjs' */
/** @import { Sizes } from './sizes.mjs' */

export const BIG = 'big'
/** A space that some of the small ones are linked to. */
export const LINKED = 'small-9'
/** A word that is common with the other tenants and absent here. */
export const ELSEWHERE = 'zizizix'

const SMALL_SPACES = 50
const OTHER_TENANTS = 20
const AGENTS = 39
/** A million events take some four gigabytes with their indexes, and the log of changes some more. */
const BYTES_PER_EVENT = 5_000

/**
 * @typedef {object} Archive A service with a long history: one big space and some small ones in a tenant, and other
 * tenants beside it, whose events lie among those of the first.
 * @property {Service} service
 * @property {Human} human Of the tenant with the big space.
 */

/**
 * With a directory, the history of an earlier run in it is used again.
 * @param {Sizes} sizes
 * @param {string | undefined} directory
 * @param {(line: string) => void} say
 * @returns {Promise<Archive>}
 */
export async function openArchive(sizes, directory, say) {
  if (directory !== undefined) await mkdir(directory, { recursive: true, mode: 0o755 })
  const note = directory && join(directory, 'archive.json')
  const kept = note && (await readFile(note, 'utf8').catch(() => undefined))
  if (kept !== undefined && kept !== '') {
    const { events, human } = JSON.parse(kept)
    if (events !== sizes.events) throw new Error(`${directory} holds ${events} events, not ${sizes.events}: delete it`)
    return { service: await Service.open(directory), human }
  }

  await requireRoom(directory ?? tmpdir(), sizes.events)
  const service = await Service.open(directory)
  const begun = performance.now()
  const human = await fillArchive(service, sizes)
  say(`  ${sizes.events.toLocaleString('en')} events loaded in ${Math.round((performance.now() - begun) / 1_000)} s`)
  if (note) await writeFile(note, JSON.stringify({ events: sizes.events, human }), { mode: 0o600 })
  return { service, human }
}

/** @param {string} directory @param {number} events */
async function requireRoom(directory, events) {
  const { bavail, bsize } = await statfs(directory)
  const needed = events * BYTES_PER_EVENT
  if (bavail * bsize >= needed) return
  const gigabytes = (/** @type {number} */ bytes) => Math.ceil(bytes / 1e9)
  throw new Error(`${directory} has ${gigabytes(bavail * bsize)} GB left, and the history takes ${gigabytes(needed)}`)
}

/** @param {Service} service @param {Sizes} sizes */
async function fillArchive(service, { events, eventsInBig, eventsInSmall }) {
  const human = await service.registerTenant('here')
  await service.openSpace(human, BIG)
  const speakers = [speakerOf(human), ...(await joinAgents(service, human))]
  /** @type {SpaceOutline[]} */
  const places = [{ scope: human.scope, spaceId: BIG, share: eventsInBig, speakers }]
  for (let n = 0; n < SMALL_SPACES; n++) {
    const spaceId = await service.openSpace(human, `small-${n}`)
    places.push({ scope: human.scope, spaceId, share: eventsInSmall / SMALL_SPACES, speakers: [speakerOf(human)] })
  }
  const client = service.clientOf(human)
  for (let n = 0; n < 9; n++) await client.link.create.mutate({ space_id: LINKED, target_id: `small-${n}` })

  for (let n = 0; n < OTHER_TENANTS; n++) {
    const other = await service.registerTenant(`other ${n}`)
    const spaceId = await service.openSpace(other, 'other')
    const share = (events - eventsInBig - eventsInSmall) / OTHER_TENANTS
    places.push({ scope: other.scope, spaceId, share, speakers: [speakerOf(other)], lastWord: ELSEWHERE })
  }
  await service.fill(places, events)
  return human
}

/** Agents that the human sponsors, and that have joined the big space. @param {Service} service @param {Human} human @returns {Promise<Speaker[]>} */
async function joinAgents(service, human) {
  const speakers = []
  for (let n = 0; n < AGENTS; n++) {
    const display_name = `Agent ${n}`
    const agent = await service.clientOf(human).actor.register.mutate({ display_name, actor_type: 'agent' })
    await createClient({ url: service.url, token: agent.api_key }).participant.join.mutate({ space_id: BIG })
    speakers.push({ actor_id: agent.actor_id, display_name })
  }
  return speakers
}

/** @param {Human} human @returns {Speaker} */
const speakerOf = ({ actorId, name }) => ({ actor_id: actorId, display_name: name })
