import type { SummaryWriter } from '@collab-spaces/api'
import type { Settings } from '../settings.js'

/** Returns the configured language model, if any, and loads its libraries only then. */
export async function summaryWriter({ languageModel }: Settings): Promise<SummaryWriter | undefined> {
  if (!languageModel) return undefined
  const { languageModelWriter } = await import('./language-model.js')
  return languageModelWriter(languageModel)
}
