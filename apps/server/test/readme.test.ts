import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { hasTools, patternOf, runSteps, stepsOf } from './support/readme.js'
import { useServer } from './support/server.js'

const h = useServer()

const ADDRESS = 'http://127.0.0.1:8080'

/** What the watching curl prints, which may come between the answers to other lines. */
const WATCHED = /event: context_event\ndata: .*\nid: .*\n\n/g

async function fiveMinutes(): Promise<string> {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split('## The first five minutes')
  return section.split('\n## ')[0] as string
}

describe.skipIf(!hasTools(['bash', 'curl', 'sed']))('The first five minutes of the README', () => {
  it('work as written, line by line', async () => {
    const steps = stepsOf((await fiveMinutes()).replaceAll(ADDRESS, h.url))
    const { outputs, calls } = await runSteps(steps)

    const typed = steps.flatMap(({ lines }) => lines.match(/\bcurl /g) ?? []).length
    expect(typed).toBeGreaterThan(10)
    expect(calls).toHaveLength(typed)
    for (const call of calls) {
      expect(call).toMatchObject({ status: 200 })
      // The one that watches is ended by a later line.
      if (call.exit !== undefined || !call.arguments.includes('/events/stream')) expect(call).toMatchObject({ exit: 0 })
    }
    expect(outputs).toHaveLength(steps.length)
    for (const [index, { lines, expected }] of steps.entries()) {
      if (expected === undefined) continue
      const output = outputs[index] as string
      const shown = expected.startsWith('event:') ? output : output.replace(WATCHED, '')
      expect(shown, lines).toMatch(patternOf(expected))
    }
  })
})
