import { MEMBERS, MENTION_CASES } from '@collab-spaces/domain/mention-cases'
import { describe, expect, it } from 'vitest'
import { findMentions, hasMention, NameIndex } from '../src/index.js'

const members = new NameIndex().add(MEMBERS.map((name) => ({ id: name, name })))

describe('a text, as a client reads it', () => {
  it.each(MENTION_CASES)('$text', ({ text, mentions }) => {
    const fitting = findMentions(text, members).flatMap(({ people }) => people.map(({ name }) => name))
    expect([...new Set(fitting)]).toEqual(mentions)
    if (mentions.length > 0) expect(hasMention(text)).toBe(true)
  })
})
