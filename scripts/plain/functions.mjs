/** The last line of the head of a function, method or callback, before its block. */
const HEAD = /^(\s*)(?!.*\b(?:if|for|while|switch|catch|class|interface)\b[^)]*\().*(?:=>|\)(?:: [^=]*)?) \{$/

/** Returns the heads and lengths of functions with more lines than `max`. The formatter makes their ends exact. */
export function longFunctions(text, max) {
  const lines = text.split('\n')
  return lines.flatMap((line, start) => {
    const [, indent] = HEAD.exec(line) ?? []
    if (indent === undefined) return []
    const length = lines.findIndex((other, at) => at > start && other.startsWith(`${indent}}`)) - start + 1
    return length > max ? [`${line.trim()} (${length} lines)`] : []
  })
}
