import type { Spoken } from '@collab-spaces/client'
import { describe, expect, it } from 'vitest'
import { claimInWords, posterInWords } from './claim'

const byAgent = (claim: Partial<Spoken> = {}): Spoken => ({
  speaker_id: 'agt_scout',
  speaker_name: 'Scout',
  speaker_type: 'agent',
  posted_by: 'agt_scout',
  posted_by_name: 'Scout',
  posted_by_type: 'agent',
  ...claim,
})

const byHuman = (claim: Partial<Spoken> = {}): Spoken => ({
  speaker_id: 'usr_grace',
  speaker_name: 'Grace',
  speaker_type: 'human',
  posted_by: 'usr_grace',
  posted_by_name: 'Grace',
  posted_by_type: 'human',
  ...claim,
})

describe('as whom something was posted', () => {
  it.each([
    ['in its own name', byAgent(), null],
    ['in its own name, by speech', byAgent({ speaker_type: 'human' }), null],
    ['under the name of a member', byAgent({ speaker_name: 'Ada Lovelace', speaker_type: 'human' }), 'as Ada Lovelace'],
    ['under the id of a member', byAgent({ speaker_id: 'usr_ada' }), 'as the ID usr_ada'],
    ['as the system', byAgent({ speaker_type: 'system' }), 'as a system message'],
    ['as a kind of its own', byAgent({ speaker_type: 'sensor' }), 'as “sensor”'],
    ['as a kind that is a word of the language', byAgent({ speaker_type: 'constructor' }), 'as “constructor”'],
    [
      'as a speaker outside',
      byHuman({ speaker_id: 'g3', speaker_name: 'Guest 3', speaker_type: 'transcript' }),
      'as Guest 3',
    ],
    ['as an agent', byHuman({ speaker_type: 'agent' }), 'as an agent'],
    ['as another agent', byAgent({ speaker_id: 'agt_other', speaker_name: 'Other' }), 'as Other'],
  ])('%s', (_, event, words) => {
    expect(claimInWords(event)).toBe(words)
  })

  it('comes after who posted it, where there is only text', () => {
    expect(posterInWords(byAgent({ speaker_name: 'Ada Lovelace' }))).toBe('Scout (agent) as Ada Lovelace')
    expect(posterInWords(byAgent({ speaker_type: 'human' }))).toBe('Scout (agent)')
    expect(posterInWords(byHuman())).toBe('Grace')
  })
})
