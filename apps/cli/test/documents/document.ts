/** A line that is typed, with those that continue it, and what the document says it prints. */
export interface Step {
  readonly typed: string
  readonly printed: string
}

/** A script that the document shows in full, to be saved under its name. */
export interface Script {
  readonly name: string
  readonly text: string
}

const CONSOLE = /^```console\n([\s\S]*?)^```$/gm
/** One that says how it is run, and on its second line how it is called. */
const SCRIPT = /^```sh\n(#!.*\n# (\S+\.sh)\b[\s\S]*?)^```$/gm

export const scriptsIn = (markdown: string): Script[] =>
  [...markdown.matchAll(SCRIPT)].map(([, text, name]) => ({ name: name as string, text: text as string }))

/** The steps of all `console` blocks. A typed line begins with `$ `, one that continues it with `> `. */
export const stepsIn = (markdown: string): Step[] =>
  [...markdown.matchAll(CONSOLE)].flatMap(([, block]) => stepsOf(block as string))

/** The document with other outputs, one for each of its steps. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  const left = outputs.values()
  return markdown.replace(CONSOLE, (_, block: string) => {
    const steps = stepsOf(block).map(({ typed }) => shown({ typed, printed: left.next().value ?? '' }))
    return `\`\`\`console\n${steps.join('\n')}\`\`\``
  })
}

function stepsOf(block: string): Step[] {
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

function shown({ typed, printed }: Step): string {
  const output = printed === '' || printed.endsWith('\n') ? printed : `${printed}\n`
  return `$ ${typed.replaceAll('\n', '\n> ')}\n${output}`
}
