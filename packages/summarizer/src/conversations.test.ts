import { describe, expect, it } from 'vitest'
import { chinese } from '../test/conversations/chinese.js'
import { english } from '../test/conversations/english.js'
import { german } from '../test/conversations/german.js'
import { japanese } from '../test/conversations/japanese.js'
import { thai } from '../test/conversations/thai.js'
import { citedIds } from './markdown.js'
import { summarizeExtractively } from './summarize.js'

/** Returns the event of each main point, its first citation; further ones only support it. */
function mainPointEvents(summary: string): string[] {
  const points = /^## Main points\n\n((?:- .*\n)+)/m.exec(summary)?.[1] ?? ''
  return points.split('\n').flatMap((line) => citedIds(line).slice(0, 1))
}

describe.each([english, german, japanese, chinese, thai])('a summary of events in $language', ({ events, points }) => {
  it('has at least two of its three points among the main points', async () => {
    const summary = await summarizeExtractively({ events, decisions: [] })
    const quoted = mainPointEvents(summary)
    const made = points.filter(({ madeBy }) => madeBy.some((id) => quoted.includes(id)))
    expect(made.length, summary).toBeGreaterThanOrEqual(2)
    expect(quoted.length).toBeLessThanOrEqual(5)
  })

  it('cites its events only', async () => {
    const ids = events.map((event) => event.event_id)
    for (const id of citedIds(await summarizeExtractively({ events, decisions: [] }))) expect(ids).toContain(id)
  })
})
