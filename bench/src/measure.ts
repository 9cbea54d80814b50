import { print } from '@collab-spaces/testing/programs'
import { figuresLine } from './report/tables.js'
import type { RowResult } from './result.js'
import type { Bench, Figures, Row, Sides } from './row.js'
import { MissingTool, pathOf } from './tools/install.js'
import { judge, type Rounds, ratios, summarize } from './verdict.js'

/** Measures a row, also for another checkout if given. A failure is a result too. */
export async function measureRow(row: Row, bench: Bench, other: Bench | undefined): Promise<RowResult> {
  const { name, title, claims } = row
  const empty = { name, title, verdicts: [], sides: [], ratios: [] }
  try {
    for (const tool of row.tools) await pathOf(tool)
    const rounds = await measureSides(row, bench, other)
    const verdicts = claims.map((claim) => judge(claim, rounds))
    return { name, title, verdicts, sides: summarize(rounds), ratios: ratios(rounds, nameIn(other)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof MissingTool) return { ...empty, skipped: reason }
    // Reported at once: the other rows may have taken most of an hour.
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    return { ...empty, failed: reason.split('\n')[0] ?? reason }
  }
}

/** Returns the name of a side of the other checkout. */
const nameIn = (other: Bench | undefined) => (side: string) => `${side} (${other?.checkout.name})`

async function measureSides(row: Row, bench: Bench, other: Bench | undefined): Promise<Rounds> {
  const opened: Sides[] = []
  try {
    if (row.service) opened.push(await row.service(bench))
    if (row.service && other) opened.push(renamed(await row.service(other), nameIn(other)))
    if (row.baselines) opened.push(await row.baselines(bench))
    return await inTurns(row.name, opened, bench.sizes)
  } finally {
    for (const { close } of opened) await close?.()
  }
}

function renamed(sides: Sides, rename: (side: string) => string): Sides {
  const measures = Object.entries(sides.measures).map(([name, measure]) => [rename(name), measure])
  return { ...sides, measures: Object.fromEntries(measures) }
}

/**
 * Measures all sides in each round, so that other load on the machine affects them alike. Each round starts with a
 * different side.
 */
async function inTurns(row: string, opened: readonly Sides[], { rounds, warmUp }: Bench['sizes']): Promise<Rounds> {
  const sides = opened.flatMap(({ measures, cold = false }) =>
    Object.entries(measures).map(([name, measure]) => ({ name, measure, cold, figures: [] as Figures[] })),
  )
  if (warmUp) for (const { measure, cold } of sides) if (!cold) await measure()
  for (let round = 0; round < rounds; round++) {
    const first = round % sides.length
    for (const { name, measure, figures } of [...sides.slice(first), ...sides.slice(0, first)]) {
      const measured = await measure()
      figures.push(measured)
      print(`  ${row}: ${name}: ${figuresLine(measured)}`)
    }
  }
  return Object.fromEntries(sides.map(({ name, figures }) => [name, figures]))
}
