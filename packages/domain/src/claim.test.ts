import { describe, expect, test } from 'vitest'
import { claimOf } from './claim.js'

const POSTED = {
  speaker_id: 'agt_scout',
  speaker_name: 'Scout',
  speaker_type: 'agent',
  posted_by: 'agt_scout',
  posted_by_name: 'Scout',
  posted_by_type: 'agent',
}

describe('the claim of an event', () => {
  test('is nothing where the speaker is the poster', () => {
    expect(claimOf(POSTED)).toBeNull()
  })

  test.each([{ speaker_id: 'usr_ada' }, { speaker_name: 'Ada Lovelace' }, { speaker_type: 'human' }])(
    'is the speaker where one thing differs: %o',
    (other) => {
      expect(claimOf({ ...POSTED, ...other })).toEqual({
        id: other.speaker_id ?? 'agt_scout',
        name: other.speaker_name ?? 'Scout',
        type: other.speaker_type ?? 'agent',
      })
    },
  )
})
