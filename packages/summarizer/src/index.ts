export { type Chunk, chunksOf } from './chunks.js'
export type { SummarizedEvent } from './event.js'
export { Labels } from './labels.js'
export { citedIds } from './markdown.js'
export {
  combinePrompt,
  condensePrompt,
  decisionLines,
  INSTRUCTION_TOKENS,
  noteGroups,
  notesPrompt,
  type Prompt,
  summaryPrompt,
} from './prompts.js'
export { EXTRACTIVE_MODEL, type SummaryInput, summarizeExtractively } from './summarize.js'
export { SUMMARY_LANGUAGES, type SummaryLanguage } from './texts.js'
export { approximateTokens } from './tokens.js'
