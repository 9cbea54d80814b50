import { MEMBERS, MENTION_CASES } from '@collab-spaces/domain/mention-cases'
import { describe, expect, it } from 'vitest'
import { findMentions, hasMention, NameIndex } from '../src/index.js'

const members = new NameIndex().add(MEMBERS.map((name) => ({ id: name, name })))

describe('the mentions that a client finds', () => {
  it.each(MENTION_CASES)('in $text are those that the server finds', ({ text, mentions }) => {
    const fitting = findMentions(text, members).flatMap(({ people }) => people.map(({ name }) => name))
    expect([...new Set(fitting)]).toEqual(mentions)
    if (mentions.length > 0) expect(hasMention(text)).toBe(true)
  })
})
