import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stepsIn } from './documents/document.js'
import { regardlessOfWidth, tell } from './documents/story.js'
import { spaces, useServer } from './support/index.js'

const hasBash = spawnSync('bash', ['--version']).error === undefined
const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

/** `pnpm docs:cli` writes what is printed now into the documents. */
describe.skipIf(!hasBash).each(['docs/cli.md', 'docs/guides/people.md', 'docs/guides/agents.md', 'README.md'])(
  '%s',
  (name) => {
    const server = useServer({ SERVER_KEY: '5a'.repeat(32) })

    it('shows what its lines print', async () => {
      const { is, wouldBe } = await tell(pathOf(name), server)
      expect(stepsIn(is).length).toBeGreaterThan(3)
      if (regardlessOfWidth(is) !== regardlessOfWidth(wouldBe)) await expect(wouldBe).toMatchFileSnapshot(pathOf(name))
    }, 900_000)
  },
)

/** The commands below one, by its help: blocks of them have a heading that is no other block's. */
async function commandsOf(...command: string[]): Promise<string[]> {
  const { stdout } = await spaces([...command, '--help']).expect(0)
  const blocks = stdout.split('\n\n').filter((block) => !/^(?:Global Options|Options|Arguments|Examples):/.test(block))
  return blocks.flatMap((block) =>
    [...block.matchAll(/^ {2}([a-z][a-z-]*)(?:[ |]|$)/gm)].map(([, name]) => name as string),
  )
}

describe('docs/cli.md', () => {
  it('has every command', async () => {
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
