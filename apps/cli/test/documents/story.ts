import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, blocksIn, freePorts, leftOut } from '@collab-spaces/testing'
import { freshHome } from '../support/machine.js'
import { Disguise } from './disguise.js'
import { patternOf, stepsOf, withOutputs } from './document.js'
import { Shell } from './shell.js'

/** The addresses of the server and of a webhook receiver in every document, and the home directory. */
const HOST = '127.0.0.1:8080'
const RECEIVER = ['127.0.0.1:3000', 'listen(3000,'] as const
const HOME = '/home/ada'

/** Output of a curl that watches, which may arrive between other answers. */
const WATCHED = /event: context_event\ndata: .*\nid: .*\n\n/g

/** Counts a document's blocks by their treatment. */
export interface Tally {
  /** Blocks that ran, with their output compared if shown. */
  run: number
  /** Programs that were saved under the name by which another block calls them. */
  saved: number
  /** Blocks with the output of the block before them. */
  compared: number
  /** JSON blocks that only show a form. */
  parsed: number
  /** Blocks that state why they do not run. */
  notRun: number
  /** Blocks that need a missing program. */
  skipped: number
  /** Lines in comments, typed between the blocks. */
  behind: number
}

/** A document as it is, and with its current outputs. */
export interface CheckedDocument {
  readonly is: string
  readonly wouldBe: string
  readonly tally: Tally
}

/** Runs a document block by block, on a new machine. */
export async function tell(path: string, server: { readonly url: string }): Promise<CheckedDocument> {
  const is = await readFile(path, 'utf8')
  const home = await freshHome()
  const port = await freePorts(1)
  const disguise = new Disguise([
    [new URL(server.url).host, HOST],
    [home, HOME],
    ...RECEIVER.map((shown) => [shown.replace('3000', `${port}`), shown] as const),
  ])
  const reader = new Reader(await Shell.in(home), home, disguise)
  try {
    const blocks = blocksIn(is)
    for (const [index, block] of blocks.entries()) await reader.take(block, blocks[index + 1])
    reader.end()
    return { is, wouldBe: withOutputs(is, reader.outputs), tally: reader.tally }
  } finally {
    reader.shell.close()
  }
}

/** Reads a document from beginning to end, and runs its blocks. */
class Reader {
  /** The output of each step of the `console` blocks. */
  readonly outputs: string[] = []
  readonly tally: Tally = { run: 0, saved: 0, compared: 0, parsed: 0, notRun: 0, skipped: 0, behind: 0 }
  readonly #saved: Block[] = []
  #typed = ''
  #isOutput = false

  constructor(
    readonly shell: Shell,
    private readonly home: string,
    private readonly disguise: Disguise,
  ) {}

  async take(block: Block, next: Block | undefined): Promise<void> {
    if (block.notRun !== undefined) {
      this.tally.notRun++
    } else if (this.#isOutput) {
      this.#isOutput = false
      this.tally.compared++
    } else if (block.file !== undefined) {
      await this.#save(block, block.file)
    } else if (block.language === 'console') {
      await this.#type(block)
    } else if (block.language === 'run' || block.language === 'sh') {
      await this.#run(block, next)
    } else if (block.language === 'json') {
      JSON.parse(block.text)
      this.tally.parsed++
    } else {
      throw new Error(`Line ${block.line}: ${FORMS}`)
    }
  }

  /** Throws unless every saved program was called. */
  end(): void {
    for (const { file = '', line } of this.#saved) {
      if (!this.#typed.includes(file)) throw new Error(`Line ${line}: no block calls ${file}`)
    }
  }

  async #save(block: Block, file: string): Promise<void> {
    await writeFile(join(this.home, file), this.disguise.lift(block.text))
    // Operations in a saved program count as called.
    this.#typed += block.text.split('\n').slice(2).join('\n')
    this.#saved.push(block)
    this.tally.saved++
  }

  async #type({ text }: Block): Promise<void> {
    for (const { typed, printed } of stepsOf(text)) {
      this.#typed += typed
      this.outputs.push(this.disguise.put(await this.shell.run(this.disguise.lift(typed)), printed))
    }
    this.tally.run++
  }

  async #run({ language, text, line }: Block, next: Block | undefined): Promise<void> {
    this.#typed += text
    if (text.includes('python3') && leftOut('python3') !== '') {
      this.tally[language === 'run' ? 'behind' : 'skipped']++
      return
    }
    const output = await this.shell.mustRun(this.disguise.lift(text))
    this.tally[language === 'run' ? 'behind' : 'run']++
    this.#isOutput = language === 'sh' && /^(json|text)$/.test(next?.language ?? '') && next?.notRun === undefined
    if (!this.#isOutput || next === undefined) return
    const expected = this.disguise.lift(next.text)
    const shown = expected.startsWith('event:') ? output : output.replace(WATCHED, '')
    if (patternOf(expected).test(shown)) return
    throw new Error(`Line ${line}: this should print\n${expected}\nand printed\n${shown}\nby\n${text}`)
  }
}

const FORMS = `nothing is known to do with this block. What is typed and shown with its output is \`console\`, what is typed \`sh\`,
perhaps with a \`json\` or \`text\` block of what it prints after it; a program begins with a comment of its name, and a block that is
run calls it; JSON is \`json\`. Where none of that is possible, say why before it: <!-- not run: … -->`

/** Normalizes column widths, which depend on values such as times. */
export const regardlessOfWidth = (text: string) => text.replace(/ {2,}/g, '  ')
