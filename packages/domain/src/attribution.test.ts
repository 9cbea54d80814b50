import { describe, expect, it, test } from 'vitest'
import {
  type AttributedSpeaker,
  attributionInWords,
  attributionOf,
  doerOf,
  lineSpeaker,
  posterInWords,
  postersIn,
  proposerOf,
  settlerOf,
} from './attribution.js'

const POSTED = {
  speaker_id: 'agt_scout',
  speaker_name: 'Scout',
  speaker_type: 'agent',
  posted_by: 'agt_scout',
  posted_by_name: 'Scout',
  posted_by_type: 'agent',
}

describe('the attribution of an event', () => {
  test('is null if the speaker is the poster', () => {
    expect(attributionOf(POSTED)).toBeNull()
  })

  test.each([{ speaker_id: 'usr_ada' }, { speaker_name: 'Ada Lovelace' }, { speaker_type: 'human' }])(
    'is the speaker if one field differs: %o',
    (other) => {
      expect(attributionOf({ ...POSTED, ...other })).toEqual({
        id: other.speaker_id ?? 'agt_scout',
        name: other.speaker_name ?? 'Scout',
        type: other.speaker_type ?? 'agent',
      })
    },
  )
})

const byAgent = (attribution: Partial<AttributedSpeaker> = {}): AttributedSpeaker => ({
  speaker_id: 'agt_scout',
  speaker_name: 'Scout',
  speaker_type: 'agent',
  posted_by: 'agt_scout',
  posted_by_name: 'Scout',
  posted_by_type: 'agent',
  ...attribution,
})

const byHuman = (attribution: Partial<AttributedSpeaker> = {}): AttributedSpeaker => ({
  speaker_id: 'usr_grace',
  speaker_name: 'Grace',
  speaker_type: 'human',
  posted_by: 'usr_grace',
  posted_by_name: 'Grace',
  posted_by_type: 'human',
  ...attribution,
})

describe('an attribution in words', () => {
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
    expect(attributionInWords(event)).toBe(words)
  })

  it('follows the poster', () => {
    expect(posterInWords(byAgent({ speaker_name: 'Ada Lovelace' }))).toBe('Scout (agent) as Ada Lovelace')
    expect(posterInWords(byAgent({ speaker_type: 'human' }))).toBe('Scout (agent)')
    expect(posterInWords(byHuman())).toBe('Grace')
  })

  it('follows the poster in another language', () => {
    const german = postersIn({
      named: (name) => `${name} (Agent)`,
      as: (name) => `als ${name}`,
      asType: (type) => `als „${type}“`,
      asId: (id) => `als die ID ${id}`,
    })
    expect(german.posterInWords(byAgent({ speaker_name: 'Ada Lovelace' }))).toBe('Scout (Agent) als Ada Lovelace')
    expect(german.posterInWords(byAgent({ speaker_type: 'system' }))).toBe('Scout (Agent) als „system“')
    expect(german.attributionInWords(byAgent({ speaker_id: 'usr_ada' }))).toBe('als die ID usr_ada')
  })
})

it('a line of a transcript names its speaker, or else its poster', () => {
  expect(lineSpeaker(byAgent({ speaker_name: 'Guest 3' }))).toBe('Guest 3')
  expect(lineSpeaker(byAgent())).toBe('Scout')
})

describe('the author of a decision', () => {
  const actors = new Map([
    ['usr_ada', 'Ada'],
    ['agt_scout', 'Scout'],
  ])
  const find = (id: string) => actors.get(id)

  it.each([
    ['agt_scout', 'agt_scout', 'Scout (agent)'],
    ['agt_scout', 'Scout', 'Scout (agent)'],
    ['agt_scout', 'usr_ada', 'Scout (agent) as Ada'],
    ['usr_ada', 'agt_scout', 'Ada as Scout'],
    ['agt_scout', 'the board', 'Scout (agent) as the board'],
    ['agt_gone', 'usr_ada', 'agt_gone (agent) as Ada'],
  ])('is %s, also when the decision names %s', (actor, claimed, words) => {
    const settled = settlerOf({ settled_by: actor, resolved_by: claimed }, find)
    const authors = [
      proposerOf({ posted_by: actor, proposed_by: claimed }, find),
      settled,
      doerOf({ actor_id: actor, proposed_by: claimed }, find),
      doerOf({ actor_id: actor, resolved_by: claimed }, find),
    ]
    expect(authors.map((author) => author && posterInWords(author))).toEqual(authors.map(() => words))
  })

  it('is null while the decision is open', () => {
    expect(settlerOf({ settled_by: null, resolved_by: null }, find)).toBeNull()
  })
})
