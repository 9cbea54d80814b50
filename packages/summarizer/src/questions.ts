import { type SummarizedEvent, type Voice, voiceOf } from './event.js'
import type { Script } from './script.js'

/** The number of events after a question, in the main line, that may answer it. */
const RIGHT_AFTER = 3
/** The most unanswered questions that are tracked; the oldest are dropped. */
const FOLLOWED = 1_000

/** The examined end of a sentence, in UTF-16 units. */
const END = 60
const TRAILING = /(?:\s|\p{Extended_Pictographic}|\u200D|\uFE0F|["'”’»)）」』*_~^])+$/u
const QUESTION_MARK = /[?？؟⁇⁈]\s*[!！]*$/u
const THAI_TAIL = '(?:กัน|ดี|บ้าง|นะ|ครับ|คับ|คะ|ค่ะ|จ๊ะ|ล่ะ|เนี่ย|อ่ะ)*'

/** The endings of questions without a question mark, in languages that often omit it. */
const ENDS_AS_QUESTION: Partial<Record<Script, RegExp>> = {
  thai: new RegExp(
    `(?:ไหม|มั้ย|มั๊ย|หรือเปล่า|รึเปล่า|หรือยัง|รึยัง|หรือไม่|ยังไง|อย่างไร|ที่ไหน|ไหน|เมื่อไหร่|เมื่อไร|เท่าไหร่|เท่าไร|ทำไม|(?<!ไม่มี)(?:อะไร|ใคร))${THAI_TAIL}$`,
    'u',
  ),
  japanese: /(?:です|ます|ました|ません|でした|でしょう|だろう|ましょう|ない|の)か[。．.]*$|かな[。．.]*$/u,
  chinese: /[吗嗎][。.]*$/u,
  korean: /(?:습니까|입니까|합니까|됩니까|[을할될볼]까요?|나요|[은는인던]가요)[.]*$/u,
}

/** Returns whether a sentence is a question. In Thai a space ends a clause, and any clause may be the question. */
export function asks(sentence: string, script: Script): boolean {
  const clauses = script === 'thai' ? sentence.split(' ') : [sentence]
  return clauses.some((clause) => {
    const bare = clause.slice(-END).replace(TRAILING, '')
    return QUESTION_MARK.test(bare) || (ENDS_AS_QUESTION[script]?.test(bare) ?? false)
  })
}

export interface Question {
  readonly event_id: string
  readonly voice: Voice
  readonly text: string
  /** Its thread; null for the main line. */
  readonly thread_id: string | null
}

interface FollowedQuestion extends Question {
  /** The number of further events in the main line that may answer it. */
  left: number
}

/**
 * The unanswered questions. A question is answered by the first event of another speaker that
 * - replies to it, directly or through other replies, or
 * - comes later in its thread, or
 * - in the main line, is one of the next three there that reply to nothing,
 * and that is more than another question and contains words.
 *
 * Events are added in the order of the log. Only unanswered questions are kept.
 */
export class OpenQuestions {
  readonly #open = new Map<string, FollowedQuestion>()
  /** Event → the open questions that it replies to, directly or not, and itself if it is one. */
  readonly #above = new Map<string, readonly string[]>()
  readonly #inThread = new Map<string, Set<string>>()
  #recent: FollowedQuestion[] = []

  /** @param question The sentence that is a question. @param says Whether the event says anything else. */
  add(event: SummarizedEvent, question: string | null, says: boolean): void {
    const above = event.parent_event_id === null ? [] : (this.#above.get(event.parent_event_id) ?? [])
    const reached = [...above, ...this.#reachedByPlace(event)]
    if (says) for (const id of reached) this.#answer(id, voiceOf(event).key)

    const still = above.filter((id) => this.#open.has(id))
    if (question !== null) {
      this.#follow(event, question)
      still.push(event.event_id)
    }
    if (still.length > 0) this.#above.set(event.event_id, still)
    if (this.#above.size > FOLLOWED * 10) this.#forget()
  }

  #reachedByPlace(event: SummarizedEvent): string[] {
    if (event.thread_id !== null) return [...(this.#inThread.get(event.thread_id) ?? [])]
    if (event.parent_event_id !== null) return []
    const reached = this.#recent
    this.#recent = reached.filter((question) => --question.left > 0)
    return reached.map((question) => question.event_id)
  }

  #answer(id: string, voice: string): void {
    if (this.#open.get(id)?.voice.key !== voice) this.#close(id)
  }

  #close(id: string): void {
    const question = this.#open.get(id)
    if (!question) return
    this.#open.delete(id)
    if (question.thread_id === null) return
    const thread = this.#inThread.get(question.thread_id)
    thread?.delete(id)
    if (thread?.size === 0) this.#inThread.delete(question.thread_id)
  }

  #follow(event: SummarizedEvent, text: string): void {
    const { event_id, thread_id } = event
    const question = { event_id, voice: voiceOf(event), thread_id, text, left: RIGHT_AFTER }
    this.#open.set(event_id, question)
    if (thread_id === null) this.#recent.push(question)
    else this.#inThread.set(thread_id, (this.#inThread.get(thread_id) ?? new Set()).add(event_id))
    const [oldest] = this.#open.keys()
    if (this.#open.size > FOLLOWED && oldest !== undefined) this.#close(oldest)
  }

  /** Forgets replies that lead only to answered questions, and the older half of the others. */
  #forget(): void {
    for (const [id, above] of this.#above) if (!above.some((q) => this.#open.has(q))) this.#above.delete(id)
    for (const id of [...this.#above.keys()].slice(0, Math.max(0, this.#above.size - FOLLOWED * 5))) {
      this.#above.delete(id)
    }
  }

  /** Returns the questions in the order of the log. */
  all(): Question[] {
    return [...this.#open.values()]
  }
}
