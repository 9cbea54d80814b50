import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, eventually, query, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { expectIntact, move, startMove, statusAt } from './support/cells.js'
import { FollowingReader, FollowingWriter } from './support/followers.js'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

/** The number of events to move; larger in manual runs. */
// biome-ignore lint/style/noProcessEnv: the size of a measurement, not a setting
const EVENTS = Number(process.env.MOVED_EVENTS ?? 2_000)
const WRITERS = 10
const STREAMS = 50
/** The documented maximum, checked in manual runs only: a busy machine cannot measure time. */
const MAX_DURATION_MS = 5_000

/** A server in its own process, which can be suspended. */
const a = useProgram()
const b = useServer()

async function tenantWithSpaces(count: number): Promise<{ tenantId: string; client: Client; spaces: string[] }> {
  const tenantId = await foundTenant(a.connection)
  const ada = await a.registerHuman()
  await moveInto(a.connection, tenantId, ada)
  const spaces: string[] = []
  for (let n = 0; n < count; n++) spaces.push(await a.openSpace(ada))
  for (const space of spaces) {
    await fillSpace(a.connection, space, ada, { count: EVENTS / count, text: (n) => `Event ${n} of old` })
  }
  return { tenantId, client: a.as(ada), spaces }
}

/** Returns the ids of all events of a space in stored order. */
async function idsAt(at: typeof b, tenantId: string, space: string): Promise<string[]> {
  const { rows } = await query(
    at.connection,
    'SELECT event_id FROM events WHERE tenant_id = $1 AND space_id = $2 ORDER BY position',
    [tenantId, spaceIdOf(space)],
  )
  return rows.map(({ event_id }) => event_id)
}

/** Expects that no acknowledged event is lost, duplicated or reordered. */
function expectInOrder(stored: readonly string[], acknowledged: readonly string[]): void {
  const places = new Map(stored.map((id, place) => [id, place]))
  expect(places.size).toBe(stored.length)
  const found = acknowledged.map((id) => places.get(id))
  expect(found).not.toContain(undefined)
  expect(found).toEqual([...found].sort((x, y) => Number(x) - Number(y)))
}

describe('a tenant that moves under load', () => {
  it('loses no event, and every reader resumes with its cursor', async () => {
    const { tenantId, client, spaces } = await tenantWithSpaces(5)
    const spaceOf = (n: number) => spaces[n % spaces.length] as string
    const readers = Array.from({ length: STREAMS }, (_, n) => new FollowingReader(client, spaceOf(n)))
    const writers = Array.from({ length: WRITERS }, (_, n) => new FollowingWriter(client, spaceOf(n), `writer-${n}`))
    const written = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
    await eventually(() => written() > 100)
    const begun = performance.now()
    const moved = await move(tenantId, a, b)
    expect(moved.complaints).toEqual([])
    const movedMs = performance.now() - begun
    const before = written()
    await eventually(() => written() > before + 100)
    for (const writer of writers) writer.isStopped = true
    await Promise.all(writers.map(({ done }) => done))

    const longest = Math.max(...writers.map(({ longestMs }) => longestMs))
    const figures = `${moved.lines[0]} Moved in ${Math.round(movedMs)} ms beside ${written()} writes; the longest that a writer waited: ${Math.round(longest)} ms`
    if (EVENTS > 2_000) {
      process.stdout.write(`${figures}\n`)
      expect(longest, figures).toBeLessThan(MAX_DURATION_MS)
    }
    for (const [n, space] of spaces.entries()) {
      const stored = await idsAt(b, tenantId, space)
      for (const [w, { acknowledged }] of writers.entries()) {
        if (w % spaces.length === n) expectInOrder(stored, acknowledged)
      }
      const here = readers.filter((_, r) => r % spaces.length === n)
      await eventually(() => here.every(({ ids }) => ids.length >= stored.length))
      for (const { ids } of here) expect(ids).toEqual(stored)
    }
    await Promise.all(readers.map((reader) => reader.close()))
    expect([await statusAt(a, tenantId), await statusAt(b, tenantId)]).toEqual(['moved', 'active'])
    await expectIntact(a)
    await expectIntact(b)
  })

  it('keeps every event acknowledged by a server that was suspended during the move', async () => {
    const { tenantId, client, spaces } = await tenantWithSpaces(4)
    const writers = Array.from(
      { length: WRITERS },
      (_, n) => new FollowingWriter(client, spaces[n % 4] as string, `frozen-${n}`),
    )
    await eventually(() => writers.every(({ acknowledged }) => acknowledged.length > 5))
    a.program.child.kill('SIGSTOP')
    const moved = await move(tenantId, a, b)
    // A write in flight is either stored by now, or will be refused.
    const stored = new Map<string, string[]>()
    for (const space of spaces) stored.set(space, await idsAt(b, tenantId, space))
    a.program.child.kill('SIGCONT')
    expect(moved.complaints).toEqual([])
    await sleep(1_000)
    for (const writer of writers) writer.isStopped = true
    await Promise.all(writers.map(({ done }) => done))
    for (const [n, { acknowledged }] of writers.entries()) {
      expectInOrder(await idsAt(b, tenantId, spaces[n % 4] as string), acknowledged)
    }
    for (const [space, ids] of stored) expect((await idsAt(a, tenantId, space)).length).toBe(ids.length)
  })

  it('continues after the command was killed at any point', async () => {
    const { tenantId, client, spaces } = await tenantWithSpaces(2)
    const writers = spaces.map((space, n) => new FollowingWriter(client, space, `killed-${n}`))
    let kills = 0
    for (let afterMs = 500; (await statusAt(a, tenantId)) !== 'moved'; afterMs *= 1.5) {
      const command = startMove(tenantId, a, b)
      await Promise.race([sleep(afterMs), command.end()])
      if (!command.isOver) kills++
      await command.kill('SIGKILL')
      // The tenant is never active in both installations.
      const statuses = [await statusAt(a, tenantId), await statusAt(b, tenantId)]
      expect(statuses.filter((status) => status === 'active').length).toBeLessThan(2)
    }
    expect(kills).toBeGreaterThan(0)
    for (const writer of writers) writer.isStopped = true
    await Promise.all(writers.map(({ done }) => done))
    for (const [n, { acknowledged }] of writers.entries()) {
      const stored = await idsAt(b, tenantId, spaces[n] as string)
      expectInOrder(stored, acknowledged)
      expect(stored.length).toBe(EVENTS / 2 + acknowledged.length)
    }
    await expectIntact(b)
  })
})
