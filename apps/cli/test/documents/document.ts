/** A typed line with its continuations, and its output in the document. */
export interface Step {
  readonly typed: string
  readonly printed: string
}

const CONSOLE = /^```console\n([\s\S]*?)^```$/gm

/** Returns the steps of all `console` blocks. */
export const stepsIn = (markdown: string): Step[] =>
  [...markdown.matchAll(CONSOLE)].flatMap(([, block]) => stepsOf(block as string))

/** Returns the document with other outputs, one for each step. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  const left = outputs.values()
  return markdown.replace(CONSOLE, (_, block: string) => {
    const steps = stepsOf(block).map(({ typed }) => shown({ typed, printed: left.next().value ?? '' }))
    return `\`\`\`console\n${steps.join('\n')}\`\`\``
  })
}

/** Returns the steps of a `console` block. A typed line begins with `$ `, its continuation with `> `. */
export function stepsOf(block: string): Step[] {
  return block
    .split(/^(?=\$ )/m)
    .filter((part) => part !== '')
    .map((part) => {
      const lines = part.split('\n')
      const end = lines.findIndex((line, index) => index > 0 && !line.startsWith('> '))
      const typed = lines.slice(0, end).map((line) => line.slice(2))
      return { typed: typed.join('\n'), printed: lines.slice(end).join('\n') }
    })
}

/** Returns a pattern for the output of a block, in which `…` matches anything. */
export function patternOf(expected: string): RegExp {
  const escaped = expected.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  // Answers have one line and no newline at the end, so that those of several calls follow each other directly.
  return new RegExp(escaped.replaceAll('…', '[\\s\\S]*?').replaceAll('\n', '\\n?'))
}

function shown({ typed, printed }: Step): string {
  const output = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
  return `$ ${typed.replaceAll('\n', '\n> ')}\n${output}`
}
