import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeWith, useDirectory, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'

const h = useProgram()
const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
// biome-ignore lint/style/noProcessEnv: programs are found where the test run finds them
const { PATH = '' } = process.env

const directory = useDirectory()

const AUTHOR = ['-c', 'user.name=Grace Höpper', '-c', 'user.email=grace@example.org', '-c', 'commit.gpgsign=false']
const git = (...args: string[]) => run('git', ['-C', directory.path, ...AUTHOR, ...args])
const commit = (message: string) => git('commit', '--quiet', '--allow-empty', '--allow-empty-message', '-m', message)

/** Runs the example as `pnpm demo` does. Rejects with its error output. */
async function demo(env: Record<string, string> = { SPACES_URL: h.url }) {
  const { stdout } = await run(process.execPath, [MAIN, directory.path], { env: { PATH, ...env } })
  const lines = stdout.split('\n')
  return { report: lines[0], commands: lines.filter((line) => line.startsWith('  ')) }
}

/** Returns the JSON output of a command of the example, in a shell with the key. */
async function answerTo(key: string, command: string) {
  const { stdout } = await run('bash', ['-c', `${key}\n${command}`], { env: { PATH } })
  return JSON.parse(stdout)
}

describeWith(['git', 'bash', 'curl'], 'pnpm demo', () => {
  it('reports a missing repository, and one without commits', async () => {
    await expect(demo()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/cannot be read as a Git repository/),
    })
    await git('init', '--quiet', '--initial-branch=main')
    await expect(demo()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/has no commits yet/) })
  })

  it('prints how to start a server when none is running', async () => {
    await commit('First\n\nwith a body')
    await expect(demo({ SPACES_URL: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/npx -y pnpm@12 start/),
    })
  })

  it('imports every commit, oldest first, and prints commands that read it back', async () => {
    await git('checkout', '--quiet', '-b', 'side')
    await commit('On the side')
    await git('checkout', '--quiet', 'main')
    await commit('')
    await git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'side')

    const { report, commands } = await demo()
    expect(report).toMatch(/: 4 commits in the space git-[0-9a-f]{12}, 4 of them new$/)
    const [key = '', ...reads] = commands
    const watch = reads.pop() as string
    const [status, newest, thread, mentions] = await Promise.all(reads.map((command) => answerTo(key, command)))
    expect(status).toMatchObject({ event_count: 6, status: 'active' })
    expect(newest.slice(-3)).toMatchObject([{ text: 'Merge' }, { speaker_type: 'human' }, { speaker_type: 'agent' }])
    expect(thread.events[1].text).toMatch(/^4 commits by 1 author/)
    expect(thread.events[1].parent_event_id).toBe(thread.events[0].event_id)
    expect(mentions).toEqual([thread.events[0]])
    const { stdout } = await run('bash', ['-c', `${key}\n${watch} --max-time 1 || true`], { env: { PATH } })
    expect(stdout).toContain('event: context_event')

    const reader = h.as(key.split('=')[1])
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

  it('adds nothing when it is run again, and later only new commits', async () => {
    const { report, commands } = await demo()
    expect(report).toMatch(/4 commits in .* 0 of them new/)
    const reader = h.as(commands[0]?.split('=')[1])
    const [{ space_id, event_count }] = await reader.get('/api/spaces').expect(200)
    expect(event_count).toBe(6)

    await commit('One more')
    expect((await demo({ PORT: new URL(h.url).port })).report).toMatch(/5 commits in .* 1 of them new/)
    const view = await reader.get(`/api/spaces/${space_id}/status`).expect(200)
    expect(view.event_count).toBe(9)
  })
})
