import { expect, it } from 'vitest'
import type { Caller } from '../procedure/credential.js'
import type { Services } from '../services.js'
import type { EventInput } from './append.js'
import { withMentions } from './mentions.js'

it('takes no turn for a text that calls nobody', async () => {
  let turns = 0
  const textTurns = {
    run: async () => {
      turns++
    },
  }
  const say = (text: string) =>
    withMentions({ textTurns } as unknown as Services, {} as Caller, { text, space_id: 'plans' } as EventInput)
  expect(await say('Mail ada@example.org')).toMatchObject({ text: 'Mail ada@example.org' })
  expect(turns).toBe(0)
  await say('Ask @Ada')
  expect(turns).toBe(1)
})
