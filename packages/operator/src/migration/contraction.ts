/** Statements that drop, rename or narrow an object that the previous version of servers may use. */
const CONTRACTIONS = [
  /\bDROP\s+(TABLE|COLUMN|INDEX|TRIGGER|FUNCTION|VIEW|TYPE|SEQUENCE|DEFAULT)\b/i,
  /\bRENAME\s+(TO|COLUMN)\b/i,
  /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bADD\s+COLUMN\b(?!.*\bDEFAULT\b).*\bNOT\s+NULL\b/i,
]

/** A comment above the statement names the last version that used the dropped object. */
const MARK = /^--\s*contract:\s*\S/i

/**
 * The lines of a migration that may break servers of the previous version, which run during the migration, and that lack
 * a justification. One version stops using a column, and the next drops it.
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
