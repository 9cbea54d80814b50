/** Statements that take away, rename or narrow something that a server of the version before may be using. */
const CONTRACTIONS = [
  /\bDROP\s+(TABLE|COLUMN|INDEX|TRIGGER|FUNCTION|VIEW|TYPE|SEQUENCE|DEFAULT)\b/i,
  /\bRENAME\s+(TO|COLUMN)\b/i,
  /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bADD\s+COLUMN\b(?!.*\bDEFAULT\b).*\bNOT\s+NULL\b/i,
]

/** A comment above the statement says which version was the last to use what goes. */
const MARK = /^--\s*contract:\s*\S/i

/**
 * The lines of a migration that servers of the version before, which still run while it is applied, may not survive,
 * and that do not say why they may. A column that is to go is no longer used by one version, and removed by the next.
 */
export function unmarkedContractions(script: string): string[] {
  const found: string[] = []
  let isMarked = false
  for (const line of script.split('\n').map((text) => text.trim())) {
    if (MARK.test(line)) isMarked = true
    if (line.startsWith('--')) continue
    if (!isMarked && CONTRACTIONS.some((contraction) => contraction.test(line))) found.push(line)
    if (line.endsWith(';')) isMarked = false
  }
  return found
}
