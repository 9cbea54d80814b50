import { mkdir, readFile, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SpaceOutline, Speaker } from '@collab-spaces/testing/history'
import { print } from '@collab-spaces/testing/programs'
import type { Sizes } from '../sizes.js'
import { registerAgent } from '../workload/agents.js'
import type { Checkout } from './checkout.js'
import { type Human, Service, speakerOf } from './service.js'

export const BIG = 'big'
/** A space with links from some of the small ones. */
export const LINKED = 'small-9'
/** A word that is frequent in the other tenants and absent here. */
export const ELSEWHERE = 'zizizix'

const SMALL_SPACES = 50
const OTHER_TENANTS = 20
const AGENTS = 39
/** A million events take about four gigabytes with their indexes, plus the write-ahead log. */
const BYTES_PER_EVENT = 5_000

/**
 * A service with a long history: a tenant with one big space and some small ones, and other tenants, whose events are
 * interleaved with those of the first.
 */
export interface Archive {
  readonly service: Service
  /** The human of the tenant with the big space. */
  readonly human: Human
}

/** The note next to the data, for the next run. */
interface Note {
  readonly events: number
  readonly human: Human
}

/** Opens an archive. With a directory, the history of an earlier run is reused. */
export async function openArchive(checkout: Checkout, sizes: Sizes, directory?: string): Promise<Archive> {
  if (directory === undefined) return loadArchive(checkout, sizes)

  await mkdir(directory, { recursive: true, mode: 0o755 })
  const file = join(directory, 'archive.json')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept !== '') {
    const { events, human }: Note = JSON.parse(kept)
    if (events !== sizes.events) {
      throw new Error(`${directory} holds ${events} events, not ${sizes.events}: delete it to load them anew`)
    }
    return { service: await Service.open(checkout, directory), human }
  }
  const archive = await loadArchive(checkout, sizes, directory)
  const note: Note = { events: sizes.events, human: archive.human }
  await writeFile(file, JSON.stringify(note), { mode: 0o600 })
  return archive
}

async function loadArchive(checkout: Checkout, sizes: Sizes, directory?: string): Promise<Archive> {
  await requireSpace(directory ?? tmpdir(), sizes.events)
  const service = await Service.open(checkout, directory)
  const begun = performance.now()
  const human = await fillArchive(service, sizes)
  const seconds = Math.round((performance.now() - begun) / 1_000)
  print(`  ${sizes.events.toLocaleString('en')} events loaded in ${seconds} s`)
  return { service, human }
}

async function requireSpace(directory: string, events: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  const needed = events * BYTES_PER_EVENT
  if (bavail * bsize >= needed) return
  const gigabytes = (bytes: number) => Math.ceil(bytes / 1e9)
  throw new Error(`${directory} has ${gigabytes(bavail * bsize)} GB left; the history takes ${gigabytes(needed)} GB`)
}

async function fillArchive(service: Service, { events, eventsInBig, eventsInSmall }: Sizes): Promise<Human> {
  const human = await service.registerTenant('here')
  await service.openSpace(human, BIG)
  const speakers = [speakerOf(human), ...(await joinAgents(service, human))]
  const spaces: SpaceOutline[] = [{ tenantId: human.tenantId, spaceId: BIG, share: eventsInBig, speakers }]
  for (let n = 0; n < SMALL_SPACES; n++) {
    const spaceId = await service.openSpace(human, `small-${n}`)
    spaces.push({
      tenantId: human.tenantId,
      spaceId,
      share: eventsInSmall / SMALL_SPACES,
      speakers: [speakerOf(human)],
    })
  }
  const client = service.clientOf(human)
  for (let n = 0; n < 9; n++) await client.link.create.mutate({ space_id: LINKED, target_id: `small-${n}` })

  for (let n = 0; n < OTHER_TENANTS; n++) {
    const other = await service.registerTenant(`other ${n}`)
    const spaceId = await service.openSpace(other, 'other')
    const share = (events - eventsInBig - eventsInSmall) / OTHER_TENANTS
    spaces.push({ tenantId: other.tenantId, spaceId, share, speakers: [speakerOf(other)], lastWord: ELSEWHERE })
  }
  await service.fill(spaces, events)
  return human
}

/** Registers agents of the human in the big space. */
async function joinAgents(service: Service, human: Human): Promise<Speaker[]> {
  const speakers: Speaker[] = []
  for (let n = 0; n < AGENTS; n++) {
    const agent = await registerAgent(service, human, `Agent ${n}`)
    await service.clientOf(agent).participant.join.mutate({ space_id: BIG })
    speakers.push(speakerOf(agent))
  }
  return speakers
}
