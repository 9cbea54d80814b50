import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDemo } from '../src/demo/demo.js'
import { hasTools, runSteps } from './support/readme.js'
import { useServer } from './support/server.js'

const h = useServer()

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spaces-demo-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const AUTHOR = ['-c', 'user.name=Grace Höpper', '-c', 'user.email=grace@example.org', '-c', 'commit.gpgsign=false']
const git = (...args: string[]) => promisify(execFile)('git', ['-C', directory, ...AUTHOR, ...args])
const commit = (message: string) => git('commit', '--quiet', '--allow-empty', '--allow-empty-message', '-m', message)

async function demo() {
  const lines = await runDemo({ url: h.url, directory, progress: () => {} })
  return { lines, said: lines[0], commands: lines.filter((line) => line.startsWith('  ')) }
}

describe.skipIf(!hasTools(['git', 'bash', 'curl']))('pnpm demo', () => {
  it('says what is wrong when there is no history', async () => {
    await expect(demo()).rejects.toThrow(/cannot be read as a Git repository/)
    await git('init', '--quiet', '--initial-branch=main')
    await expect(demo()).rejects.toThrow(/has no commits yet/)
  })

  it('says what to do when no server is running', async () => {
    await commit('First\n\nwith a body')
    const nowhere = { url: 'http://127.0.0.1:9', directory, progress: () => {} }
    await expect(runDemo(nowhere)).rejects.toThrow(/npx -y pnpm@12 start/)
  })

  it('imports every commit, oldest first, and prints lines that read it back', async () => {
    await git('checkout', '--quiet', '-b', 'side')
    await commit('On the side')
    await git('checkout', '--quiet', 'main')
    await commit('')
    await git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'side')

    const { said, commands } = await demo()
    expect(said).toMatch(/: 4 commits in the space git-[0-9a-f]{12}, 4 of them new$/)
    const { calls, outputs } = await runSteps([
      ...commands.slice(0, -1).map((lines) => ({ lines, expected: undefined })),
      // The last one watches.
      { lines: `${commands.at(-1)} --max-time 1`, expected: undefined },
    ])
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])

    const [, status, newest, thread] = outputs.map((output) =>
      output.startsWith(':') ? null : JSON.parse(output || '0'),
    )
    expect(status).toMatchObject({ event_count: 6, status: 'active' })
    expect(newest.slice(-3)).toMatchObject([{ text: 'Merge' }, { speaker_type: 'human' }, { speaker_type: 'agent' }])
    expect(thread.events[1].text).toMatch(/^4 commits by 1 author/)
    expect(thread.events[1].parent_event_id).toBe(thread.events[0].event_id)
    expect(outputs.at(-1)).toContain('event: context_event')

    const reader = h.as(commands[0]?.split('=')[1])
    const events = await reader.get(`/api/spaces/${status.space_id}/events`).expect(200)
    expect(events[0]).toMatchObject({
      speaker_id: 'grace@example.org',
      speaker_name: 'Grace Höpper',
      text: 'First\n\nwith a body',
      metadata: { message_type: 'commit', parents: [] },
    })
    const { commit: hash, authored_at } = events[0].metadata
    expect(events[0].references).toEqual([`git:${hash}`])
    expect(Date.parse(authored_at)).toBeGreaterThan(Date.now() - 60_000)
    for (const { metadata } of events.slice(1, 4)) {
      for (const parent of metadata.parents) {
        expect(events.findIndex((event: (typeof events)[0]) => event.metadata?.commit === parent)).toBeLessThan(
          events.findIndex((event: (typeof events)[0]) => event.metadata === metadata),
        )
      }
    }
  })

  it('adds nothing when it is run again, and afterwards only what is new', async () => {
    expect((await demo()).said).toMatch(/4 commits in .* 0 of them new/)
    const { commands } = await demo()
    const reader = h.as(commands[0]?.split('=')[1])
    const [{ space_id, event_count }] = await reader.get('/api/spaces').expect(200)
    expect(event_count).toBe(6)

    await commit('One more')
    expect((await demo()).said).toMatch(/5 commits in .* 1 of them new/)
    const view = await reader.get(`/api/spaces/${space_id}/status`).expect(200)
    expect(view.event_count).toBe(9)
  })
})
