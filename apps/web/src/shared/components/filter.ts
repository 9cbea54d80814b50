import { foldName } from '@collab-spaces/client'

/** Returns whether a text contains every typed word. */
export function hasWords(text: string, typed: string): boolean {
  const form = foldName(text)
  return foldName(typed)
    .split(' ')
    .every((word) => form.includes(word))
}
