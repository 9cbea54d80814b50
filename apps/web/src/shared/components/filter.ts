import { foldName } from '@collab-spaces/client'

/** Whether a text contains every word that was typed. */
export function hasWords(text: string, typed: string): boolean {
  const form = foldName(text)
  return foldName(typed)
    .split(' ')
    .every((word) => form.includes(word))
}
