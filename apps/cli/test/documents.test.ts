import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stepsIn } from './documents/document.js'
import { regardlessOfWidth, tell } from './documents/story.js'
import { useServer } from './support/index.js'

const pathOf = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url))

const DOCUMENTS = ['docs/cli.md']

/** `pnpm docs:cli` writes what is printed now into the documents. */
describe.each(DOCUMENTS)('%s', (name) => {
  const server = useServer()

  it('shows what its lines print', async () => {
    const { is, wouldBe } = await tell(pathOf(name), server)
    expect(stepsIn(is).length).toBeGreaterThan(5)
    if (regardlessOfWidth(is) !== regardlessOfWidth(wouldBe)) await expect(wouldBe).toMatchFileSnapshot(pathOf(name))
  }, 120_000)
})
