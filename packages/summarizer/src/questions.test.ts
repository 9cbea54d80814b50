import { describe, expect, it } from 'vitest'
import { event, section } from '../test/events.js'
import type { SummarizedEvent } from './event.js'
import { citedIds } from './markdown.js'
import { asks } from './questions.js'
import type { Script } from './script.js'
import { summarizeExtractively } from './summarize.js'

async function openQuestions(...events: SummarizedEvent[]): Promise<string[]> {
  const summary = await summarizeExtractively({ events, decisions: [] })
  return citedIds(section(summary, 'Open questions').join('\n'))
}

const question = (rest: Partial<SummarizedEvent> = {}) => event('q', 'Ann', 'Which port does the proxy use?', rest)
const chatter = (id: string, rest: Partial<SummarizedEvent> = {}) => event(id, 'Bob', 'The lunch menu is out.', rest)

describe('a question in the main line', () => {
  it('is open when no event follows', async () => {
    expect(await openQuestions(question())).toEqual(['q'])
  })

  it('is answered by an event of another actor right after it', async () => {
    expect(await openQuestions(question(), event('a', 'Bob', 'It is 8443.'))).toEqual([])
  })

  it('is not answered by its own poster', async () => {
    expect(await openQuestions(question(), event('a', 'Ann', 'I need it for the firewall.'))).toEqual(['q'])
  })

  it('is not answered by another question, nor by an emoji', async () => {
    expect(await openQuestions(question(), event('q2', 'Bob', 'Which proxy?'))).toEqual(['q', 'q2'])
    expect(await openQuestions(question(), event('a', 'Bob', '🤷'))).toEqual(['q'])
  })

  it('is not answered by an event in a thread, or by a reply to another event', async () => {
    expect(await openQuestions(question(), chatter('a', { thread_id: 't' }))).toEqual(['q'])
    const elsewhere = [event('x', 'Cy', 'The build is red.'), question(), chatter('a', { parent_event_id: 'x' })]
    expect(await openQuestions(...elsewhere)).toEqual(['q'])
  })

  it('is not answered by the fourth event after it or a later one, unless it is a reply', async () => {
    const talk = ['1', '2', '3'].map((id) => event(id, 'Ann', 'I am still looking for it.'))
    expect(await openQuestions(question(), ...talk, chatter('4'))).toEqual(['q'])
    expect(await openQuestions(question(), ...talk, chatter('4', { parent_event_id: 'q' }))).toEqual([])
  })
})

it('a question is answered by a chain of replies', async () => {
  const more = event('m', 'Ann', 'The one in front of the API.', { parent_event_id: 'q' })
  const far = ['1', '2', '3', '4'].map((id) => event(id, 'Ann', 'Another matter altogether.'))
  expect(await openQuestions(question(), more, ...far, chatter('a', { parent_event_id: 'm' }))).toEqual([])
  expect(await openQuestions(question(), more, ...far)).toEqual(['q'])
})

it('a question in a thread is answered by any later event of another actor there', async () => {
  const inThread = { thread_id: 't' }
  const far = ['1', '2', '3', '4'].map((id) => event(id, 'Ann', 'I looked again.', inThread))
  expect(await openQuestions(question(inThread), ...far, chatter('a', inThread))).toEqual([])
  expect(await openQuestions(question(inThread), ...far, chatter('a', { thread_id: 'other' }))).toEqual(['q'])
})

it('open questions are the newest ten', async () => {
  const many = Array.from({ length: 25 }, (_, i) => event(`q${i}`, 'Ann', `Who owns part ${i}?`))
  const summary = await summarizeExtractively({ events: many, decisions: [] })
  const lines = section(summary, 'Open questions')
  expect(lines).toHaveLength(11)
  expect(lines[0]).toContain('[q15]')
  expect(lines[10]).toBe('- and 15 more')
})

describe('asks', () => {
  const questions: [Script, string][] = [
    ['spaced', 'Can we ship on Thursday?'],
    ['spaced', 'really?! 😅'],
    ['spaced', 'متى الاجتماع؟'],
    ['japanese', '連絡はどうしますか。'],
    ['japanese', '予算は出ますか？'],
    ['chinese', '中间会断货吗'],
    ['korean', '회의는 언제 합니까'],
    ['thai', 'แล้ววิทยากรวันที่ 29 ว่างหรือเปล่าคะ'],
    ['thai', 'มีใครเห็นร่มสีน้ำเงินของเราไหม ลืมไว้แถวห้องครัว'],
  ]
  it.each(questions)('is true for %s: %s', (script, sentence) => expect(asks(sentence, script)).toBe(true))

  const statements: [Script, string][] = [
    ['spaced', 'See https://example.com/?a=b for more.'],
    ['japanese', '確認しました。'],
    ['chinese', '可以，辛苦了'],
    ['korean', '회의는 내일입니다'],
    ['thai', 'อยู่หลังประตูครับ'],
    ['thai', 'ตอนนี้ไม่มีใคร'],
  ]
  it.each(statements)('is false for %s: %s', (script, sentence) => expect(asks(sentence, script)).toBe(false))
})
