import type { SummaryWriter } from '@collab-spaces/api'
import type { Settings } from '../settings.js'

/** The writer of summaries that is set, if any. Its libraries are loaded only when one is. */
export async function summaryWriter({ languageModel }: Settings): Promise<SummaryWriter | undefined> {
  if (!languageModel) return undefined
  const { languageModelWriter } = await import('./language-model.js')
  return languageModelWriter(languageModel)
}
