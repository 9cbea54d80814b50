import { CAN_MEASURE_MEMORY, peakMemory, useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'

const h = useProgram()

it.runIf(CAN_MEASURE_MEMORY)('concurrent summaries of many long decisions use less than 200 MB of memory', async () => {
  const { ada, path } = await h.adasSpace()
  const text = 'Long. '.repeat(16_000)
  for (let n = 0; n < 200; n += 10) {
    const some = Array.from({ length: 10 }, () => h.as(ada).post(`${path}/decisions`, { proposed_by: 'Ada', text }))
    for (const { status } of await Promise.all(some)) expect(status).toBe(200)
  }
  const before = peakMemory(h.program)
  const windows = Array.from({ length: 40 }, (_, n) => `end=${new Date(Date.UTC(2090, 0, 1, 0, n)).toISOString()}`)
  const made = await Promise.all(windows.map((window) => h.as(ada).get(`${path}/summary?${window}`)))
  for (const { status, body } of made) {
    expect(status).toBe(200)
    expect(body.summary_text).toContain('- and 180 more')
  }
  expect(peakMemory(h.program) - before).toBeLessThan(200)
})
