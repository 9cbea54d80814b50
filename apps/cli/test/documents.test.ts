import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describeWith, leftOut } from '@collab-spaces/testing'
import { describe, expect, it } from 'vitest'
import { stepsIn } from './documents/document.js'
import { regardlessOfWidth, tell } from './documents/story.js'
import { spaces, useServer } from './support/index.js'

const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

interface Document {
  readonly name: string
  /** The minimum number of blocks: a document in an unknown form would run none. */
  readonly blocks: number
  /** Further programs that it needs. */
  readonly also?: readonly string[]
}

const REFERENCE: Document = { name: 'docs/cli.md', blocks: 40 }

/** Documents that a newcomer reads in this order, with one server. */
const GUIDES: readonly Document[] = [
  { name: 'README.md', blocks: 6, also: ['python3'] },
  { name: 'docs/guides/people.md', blocks: 8 },
  { name: 'docs/guides/agents.md', blocks: 8, also: ['python3'] },
  { name: 'docs/guides/rest.md', blocks: 3, also: ['python3'] },
  { name: 'docs/guides/webhooks.md', blocks: 5 },
  { name: 'docs/guides/import.md', blocks: 3 },
]
/** The beginnings of indented blocks, which may contain empty lines. */
const INDENTED = /(?<=^(?! {4}).*\n\n) {4}\S/gm
const TOOLS = ['bash', 'curl', 'sed', 'git']

/** The client's tests run the TypeScript guide. `pnpm docs:cli` writes the current output into the documents. */
describe.each([
  ['README and guides, one after the other on one server', GUIDES],
  ['the reference', [REFERENCE]],
])('%s', (_, documents) => {
  const also = documents.flatMap(({ also = [] }) => also)
  describeWith(TOOLS, `from their beginning to their end${leftOut(...also)}`, () => {
    const server = useServer({ SERVER_KEY: '5a'.repeat(32), WEBHOOK_NETWORKS: 'loopback' })

    it.each(documents)(
      '$name',
      async ({ name, blocks }) => {
        const { is, wouldBe, tally } = await tell(pathOf(name), server)
        expect(tally.run + tally.skipped).toBeGreaterThanOrEqual(blocks)
        const all = Object.values(tally).reduce((sum, count) => sum + count) - tally.behind
        expect(all).toBe((is.match(/^```\w+$/gm)?.length ?? 0) + (is.match(INDENTED)?.length ?? 0))
        if (regardlessOfWidth(is) !== regardlessOfWidth(wouldBe))
          await expect(wouldBe).toMatchFileSnapshot(pathOf(name))
      },
      900_000,
    )
  })
})

it('the TypeScript guide creates a space that no other document does', async () => {
  const guide = await readFile(pathOf('docs/guides/typescript.md'), 'utf8')
  const [, created = ''] = /space\.create\.mutate\(\{ space_id: '([\w-]+)'/.exec(guide) ?? []
  expect(created).not.toBe('')
  for (const { name } of GUIDES) {
    const creates = new RegExp(`space create ${created}\\b|api/spaces -d '\\{"space_id": "${created}"`)
    expect(await readFile(pathOf(name), 'utf8')).not.toMatch(creates)
  }
})

/** Returns the commands below one, by its help: their blocks have headings of their own. */
async function commandsOf(...command: string[]): Promise<string[]> {
  const { stdout } = await spaces([...command, '--help']).expect(0)
  const blocks = stdout.split('\n\n').filter((block) => !/^(?:Global Options|Options|Arguments|Examples):/.test(block))
  return blocks.flatMap((block) =>
    [...block.matchAll(/^ {2}([a-z][a-z-]*)(?:[ |]|$)/gm)].map(([, name]) => name as string),
  )
}

describe('docs/cli.md', () => {
  it('contains every command', async () => {
    const typed = stepsIn(await readFile(pathOf('docs/cli.md'), 'utf8')).map((step) => step.typed)
    const nouns = await commandsOf()
    expect(nouns.length).toBeGreaterThan(15)
    const commands = await Promise.all(
      nouns.map(async (noun) => {
        const verbs = await commandsOf(noun)
        return verbs.length > 0 ? verbs.map((verb) => `spaces ${noun} ${verb}`) : [`spaces ${noun}`]
      }),
    )
    const missing = commands.flat().filter((command) => !typed.some((line) => `${line} `.includes(`${command} `)))
    expect(missing).toEqual([])
  })
})
