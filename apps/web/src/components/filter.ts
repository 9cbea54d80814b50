/** Whether every word that was typed is somewhere in a text. */
export function hasWords(text: string, typed: string): boolean {
  const folded = text.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
