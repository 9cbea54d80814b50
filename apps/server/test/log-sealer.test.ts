import { setTimeout as delay } from 'node:timers/promises'
import { useProgram } from '@collab-spaces/testing'
import { expect, it } from 'vitest'
import { keyOf, readLog, sealed } from './support/sealed.js'

const h = useProgram({ SERVER_KEY: '5a'.repeat(32) })

const EVENTS = 100
/** Delays between the answer and the kill; sealing may be under way in each. */
const MOMENTS_MS = [0, 950, 1_000, 1_020, 1_050]

it('a server killed at any moment resumes sealing, and seals every event exactly once', async () => {
  const ada = await h.registerHuman('Ada')
  const path = await h.openSpace(ada)
  const key = await keyOf(h)
  const checkpoints: string[] = []
  for (const [round, moment] of MOMENTS_MS.entries()) {
    const events = Array.from({ length: EVENTS }, (_, at) => ({
      speaker_id: 'a source',
      speaker_name: 'A source',
      speaker_type: 'human',
      text: `Event ${round * EVENTS + at + 1}`,
    }))
    await h.as(ada).post(`${path}/events/batch`, { events }).expect(200)
    await delay(moment)
    await h.kill()
    await h.start()
    checkpoints.push((await sealed(h.as(ada), `${path}/log`, (round + 1) * EVENTS)).checkpoint)
  }
  const { text } = await h.as(ada).get(`${path}/log/export`)
  for (const checkpoint of checkpoints) {
    expect(readLog(text, key, checkpoint).checkpoint.size).toBe(MOMENTS_MS.length * EVENTS)
  }
})
