import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, eventually, freePorts, postmasterOf, startProgram } from '@collab-spaces/testing'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { dataDirectory } from './support/data-directory.js'

const FULL = "The server's disk is almost full: nothing new can be written until the operator frees space"

const run = promisify(execFile)

/** Mounts a small file system in memory. Skips the test where mounting is not allowed. */
async function smallDisk({ skip }: TestContext, megabytes: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'spaces-disk-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', directory]).catch(() => {
    skip('only root may mount a small file system')
  })
  onTestFinished(async () => {
    await run('umount', ['--lazy', directory])
  })
  return directory
}

const freeOn = async (directory: string) => {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

describe('an almost full disk', () => {
  it('makes writes return 503, but not reads, revocations and archiving', async () => {
    const dataDir = await dataDirectory()
    const before = startProgram({ DATA_DIR: dataDir })
    const { ada, client, path } = await new Client(await before.url()).adasSpace()
    await client.post(`${path}/speech`, { text: 'before' }).expect(200)
    const { pat_id } = await client.post('/api/personal-access-tokens', { name: 'laptop' }).expect(200)
    expect(await before.kill('SIGTERM')).toBe(0)

    // More free space than any disk has.
    const port = await freePorts(1)
    const environment = { DATA_DIR: dataDir, MIN_FREE_DISK_MB: '100000000', METRICS_PORT: String(port) }
    const server = startProgram(environment)
    const h = new Client(await server.url(), ada.api_key)
    await h.post(`${path}/speech`, { text: 'after' }).expect(503, FULL)
    await h.as(undefined).post('/api/actors', { display_name: 'Bob', email: 'b@example.org' }).expect(503, FULL)
    await h.patch(`/api/actors/${ada.actor_id}`, { display_name: 'Eve' }).expect(503, FULL)
    await h.as(undefined).post(`${path}/speech`, { text: 'x' }).expect(401)

    expect(await h.get(`${path}/events`).expect(200)).toHaveLength(1)
    expect(await h.get('/ready').expect(200)).toEqual({ status: 'ready', writes: 'refused', reason: FULL })
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(metrics).toMatch(/^spaces_writes_refused 1$/m)
    await h.delete(`/api/personal-access-tokens/${pat_id}`).expect(200)
    await h.post(`${path}/archive`).expect(200)
    await h.post(`/api/actors/${ada.actor_id}/rotate-key`).expect(200)
    await h.get('/api/actors/me').expect(401)
  })

  it('accepts writes again once it has space, without a restart of PostgreSQL', async (context) => {
    const disk = await smallDisk(context, 400)
    const dataDir = join(disk, 'data')
    const server = startProgram({ DATA_DIR: dataDir, MIN_FREE_DISK_MB: '128' })
    onTestFinished(async () => {
      await server.kill('SIGTERM')
    })
    const { client, path } = await new Client(await server.url()).adasSpace()
    const postmaster = await postmasterOf(dataDir)
    const ballast = join(disk, 'ballast')
    await writeFile(ballast, Buffer.alloc((await freeOn(disk)) - 140 * 1024 * 1024))

    // The writes take the free space below the limit.
    const acknowledged: string[] = []
    await eventually(async () => {
      // Random, so that it cannot be compressed.
      const text = randomBytes(40_000).toString('base64')
      const answer = await client.post(`${path}/speech`, { text })
      if (answer.status === 200) acknowledged.push(answer.body.event_id)
      else answer.expect(503, FULL)
      return answer.status === 503
    })
    expect(await freeOn(disk)).toBeGreaterThan(0)
    await client.get(`${path}/status`).expect(200)

    await rm(ballast)
    await eventually(async () => (await client.post(`${path}/speech`, { text: 'again' })).status === 200)
    const { event_count } = await client.get(`${path}/status`).expect(200)
    expect(event_count).toBe(acknowledged.length + 1)
    expect(await postmasterOf(dataDir)).toBe(postmaster)
    expect(server.complaints).toEqual([])
  })
})
