import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { eventsOf, type SummaryWriter } from '@collab-spaces/api'
import {
  approximateTokens,
  type Chunk,
  chunksOf,
  combinePrompt,
  condensePrompt,
  decisionLines,
  INSTRUCTION_TOKENS,
  Labels,
  noteGroups,
  notesPrompt,
  type Prompt,
  summaryPrompt,
} from '@collab-spaces/summarizer'
import { generateText, type LanguageModel } from 'ai'
import type { Settings } from '../settings.js'

type LanguageModelSettings = NonNullable<Settings['languageModel']>

/** Concurrent summaries, which mostly wait for the model. */
const AT_ONCE = 8
/** Timeout of a summary, which may take many calls. */
const SUMMARY_TIMEOUT_MS = 600_000

const ANSWER_TOKENS = 2_000
const RETRIES = 2
/** The maximum number of condensing rounds for the notes on a window. */
const MAX_ROUNDS = 5

/**
 * Writes summaries with a language model. A long window is read in pieces that fit the model's context: the model takes notes
 * on each, and writes the summary from the notes. Rejects if the model is unreachable or too slow.
 */
export function languageModelWriter(settings: LanguageModelSettings): SummaryWriter {
  const model = modelOf(settings)
  const room = settings.contextTokens - ANSWER_TOKENS - INSTRUCTION_TOKENS

  const askUntil =
    (signal: AbortSignal, requireMayLeave: () => Promise<void>) =>
    async ({ system, user }: Prompt): Promise<string> => {
      await requireMayLeave()
      const { text } = await generateText({
        model,
        system,
        prompt: user,
        maxOutputTokens: ANSWER_TOKENS,
        maxRetries: RETRIES,
        abortSignal: AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMs)]),
      }).catch((error: Error) => {
        // The error contains the whole request, which must not be logged.
        throw new Error(`the language model failed: ${error.message}`)
      })
      if (text.trim() === '') throw new Error('the language model returned no text')
      return text
    }

  return {
    model: settings.model,
    atOnce: AT_ONCE,
    longestMs: SUMMARY_TIMEOUT_MS,
    async write({ pieces, language, readDecisions, requireMayLeave }, signal) {
      const ask = askUntil(signal, requireMayLeave)
      const labels = new Labels()
      const { decisions } = await readDecisions()
      // The other half is enough for events, which are read in pieces.
      const settled = decisionLines(decisions, labels, room / 2)
      const left = room - settled.reduce((sum, line) => sum + approximateTokens(line) + 1, 0)
      const [only, notes] = await readInPieces(chunksOf(eventsOf(pieces), labels, left), ask)
      const written = only
        ? await ask(summaryPrompt(only, settled, language))
        : await ask(combinePrompt(await condensed(notes, left, ask), settled, language))
      return labels.toSummary(written)
    },
  }
}

type Ask = (prompt: Prompt) => Promise<string>

/** Returns the only chunk, or the notes on each of several chunks; neither for a window without events. */
async function readInPieces(chunks: AsyncIterable<Chunk>, ask: Ask): Promise<[Chunk | null, string[]]> {
  const notes: string[] = []
  let waiting: Chunk | null = null
  for await (const chunk of chunks) {
    if (waiting) notes.push(await ask(notesPrompt(waiting)))
    waiting = chunk
  }
  if (notes.length === 0) return [waiting ?? { lines: [], tokens: 0 }, []]
  if (waiting) notes.push(await ask(notesPrompt(waiting)))
  return [null, notes]
}

/** Condenses notes until they fit into one prompt. */
async function condensed(notes: readonly string[], tokens: number, ask: Ask): Promise<readonly string[]> {
  let kept = notes
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const groups = noteGroups(kept, tokens)
    if (groups.length <= 1) return groups[0] ?? []
    kept = await Promise.all(groups.map((group) => ask(condensePrompt(group))))
  }
  throw new Error('the notes on this window remain too long for the model')
}

function modelOf({ provider, model, baseUrl, apiKey }: LanguageModelSettings): LanguageModel {
  switch (provider) {
    case 'anthropic':
      return createAnthropic({ ...(baseUrl && { baseURL: baseUrl }), ...(apiKey && { apiKey }) })(model)
    case 'openai-compatible': {
      if (!baseUrl) throw new Error('an OpenAI-compatible provider needs the URL of its API')
      return createOpenAICompatible({ name: 'openai-compatible', baseURL: baseUrl, ...(apiKey && { apiKey }) })(model)
    }
  }
}
