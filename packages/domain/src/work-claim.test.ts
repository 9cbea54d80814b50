import { describe, expect, it } from 'vitest'
import { shownWorkSubject, soleWorkSubject, workSubjectOf } from './work-claim.js'

const ID = '018f0000-0000-7000-8000-00000000000A'
const NONE = { event_id: null, decision_id: null, key: null }

describe('the subject of a work claim', () => {
  it('is exactly one event, decision or key', () => {
    expect(soleWorkSubject({})).toBeNull()
    expect(soleWorkSubject({ event_id: ID, key: 'k' })).toBeNull()
  })

  it.each([
    [{ event_id: ID }, { event_id: ID.toLowerCase() }],
    [{ decision_id: ID }, { decision_id: ID.toLowerCase() }],
    [{ key: 'Book: the train' }, { key: 'Book: the train' }],
  ])('%o is shown as it was sent, with IDs in lower case', (sent, shown) => {
    const subject = soleWorkSubject(sent)
    expect(subject && shownWorkSubject(workSubjectOf(subject))).toEqual({ ...NONE, ...shown })
  })
})
