import type { SummaryWriter } from '@collab-spaces/api'
import type { Settings } from '../settings.js'

/** The configured writer of summaries, if any. Its libraries are loaded only if there is one. */
export async function summaryWriter({ languageModel }: Settings): Promise<SummaryWriter | undefined> {
  if (!languageModel) return undefined
  const { languageModelWriter } = await import('./language-model.js')
  return languageModelWriter(languageModel)
}
