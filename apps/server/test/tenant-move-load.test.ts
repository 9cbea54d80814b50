import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, eventually, query, spaceIdOf, useProgram } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { expectIntact, move, startMove, statusAt } from './support/cells.js'
import { FollowingReader, FollowingWriter } from './support/followers.js'
import { fillSpace } from './support/history.js'
import { useServer } from './support/server.js'
import { foundTenant, moveInto } from './support/tenant.js'

/** How much there is to move; more of it by hand. */
// biome-ignore lint/style/noProcessEnv: no setting, but how large a measurement is to be
const EVENTS = Number(process.env.MOVED_EVENTS ?? 2_000)
const WRITERS = 10
const STREAMS = 50
/** The promise. A machine that runs all tests at once is no judge of time: it is looked at by hand. */
const MAX_DURATION_MS = 5_000

/** A server of its own, which can be frozen. */
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

/** The ids of all events of a space, as they are stored. */
async function idsAt(at: typeof b, tenantId: string, space: string): Promise<string[]> {
  const { rows } = await query(
    at.connection,
    'SELECT event_id FROM events WHERE tenant_id = $1 AND space_id = $2 ORDER BY position',
    [tenantId, spaceIdOf(space)],
  )
  return rows.map(({ event_id }) => event_id)
}

/** Nothing that was acknowledged is lost, doubled or in another order. */
function expectInOrder(stored: readonly string[], acknowledged: readonly string[]): void {
  const places = new Map(stored.map((id, place) => [id, place]))
  expect(places.size).toBe(stored.length)
  const found = acknowledged.map((id) => places.get(id))
  expect(found).not.toContain(undefined)
  expect(found).toEqual([...found].sort((x, y) => Number(x) - Number(y)))
}

describe('a tenant that moves under load', () => {
  it('loses nothing, and every reader goes on with its cursor', async () => {
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

  it('has everything that a server acknowledges that was frozen meanwhile, and woke later', async () => {
    const { tenantId, client, spaces } = await tenantWithSpaces(4)
    const writers = Array.from(
      { length: WRITERS },
      (_, n) => new FollowingWriter(client, spaces[n % 4] as string, `frozen-${n}`),
    )
    await eventually(() => writers.every(({ acknowledged }) => acknowledged.length > 5))
    a.program.child.kill('SIGSTOP')
    const moved = await move(tenantId, a, b)
    // A write that was on its way is either there by now, or will be refused.
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

  it('goes on after the command was killed, wherever it was', async () => {
    const { tenantId, client, spaces } = await tenantWithSpaces(2)
    const writers = spaces.map((space, n) => new FollowingWriter(client, space, `killed-${n}`))
    let kills = 0
    for (let afterMs = 500; (await statusAt(a, tenantId)) !== 'moved'; afterMs *= 1.5) {
      const command = startMove(tenantId, a, b)
      await Promise.race([sleep(afterMs), command.end()])
      if (!command.isOver) kills++
      await command.kill('SIGKILL')
      // Never is it in service in both places.
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
