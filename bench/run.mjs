#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { endAll } from './afterwards.mjs'
import { openArchive } from './archive.mjs'
import { machine } from './machine.mjs'
import { shown } from './numbers.mjs'
import { claimTable, figureTable, record } from './report.mjs'
import { inTurns, medians, verdictOn } from './rounds.mjs'
import { ROWS } from './rows.mjs'
import { postgresVersion } from './service.mjs'
import { FULL, SHORT } from './sizes.mjs'
import { openStage } from './stage.mjs'
import { MissingTool, pathOf } from './tools.mjs'

/** @import { Bench, Row } from './row.mjs' */

/**
 * @typedef {object} Measured What came of a row.
 * @property {string} name
 * @property {string} title
 * @property {string} [skipped] Why it was not measured.
 * @property {string} [failed] What went wrong while it was measured.
 * @property {ReturnType<typeof verdictOn>[]} verdicts
 * @property {ReturnType<typeof medians>} sides
 */

const OPTIONS = /** @type {const} */ ({
  only: { type: 'string', multiple: true },
  peers: { type: 'boolean', default: false },
  short: { type: 'boolean', default: false },
  data: { type: 'string' },
  json: { type: 'string' },
  record: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
})

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

/** @param {string} reason @returns {never} */
function refuse(reason) {
  process.stderr.write(`${reason}\n`)
  process.exit(2)
}

const help = () =>
  [
    'Usage: pnpm bench [--only ROW]... [--peers] [--short] [--data DIR] [--json FILE] [--record]',
    '',
    '  --only ROW   only this row; may be given several times',
    '  --peers      also the rows that need programs of others, which are installed when missing',
    '  --short      a quick look at the rows that claim something: small, once, and without a verdict',
    '  --data DIR   keep the long history here, for the next run; otherwise it is made anew each time',
    '  --json FILE  everything that was measured, as JSON',
    '  --record     put the tables into bench/README.md, in the place of those of the run before',
    '',
    'Rows, each alone with pnpm bench --only ROW:',
    ...ROWS.flatMap(({ name, title, about, peers }) => [
      '',
      `  ${name}${peers ? ' (--peers)' : ''}: ${title}`,
      `    ${about}`,
    ]),
  ].join('\n')

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    return refuse(`${/** @type {Error} */ (error).message}\nSee pnpm bench --help`)
  }
}

/** @param {ReturnType<typeof readOptions>} options */
function chosenRows({ only, peers, short }) {
  const unknown = only?.find((name) => !ROWS.some((row) => row.name === name))
  if (unknown !== undefined) refuse(`There is no row ${unknown}; there are ${ROWS.map(({ name }) => name).join(', ')}`)
  if (only !== undefined) return ROWS.filter(({ name }) => only.includes(name))
  return ROWS.filter((row) => (peers || !row.peers) && (!short || row.claims.length > 0))
}

/** @param {Row} row @param {Bench} bench @returns {Promise<Measured>} */
async function measure(row, bench) {
  const { name, title } = row
  try {
    return await measureWith(row, bench)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof MissingTool) return { name, title, skipped: reason, verdicts: [], sides: [] }
    // The other rows may have taken most of an hour.
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    return { name, title, failed: reason.split('\n')[0] ?? reason, verdicts: [], sides: [] }
  }
}

/** @param {Row} row @param {Bench} bench @returns {Promise<Measured>} */
async function measureWith({ name, title, claims, tools, open }, bench) {
  for (const tool of tools) await pathOf(tool)
  const opened = await open(bench)
  try {
    const results = await inTurns(opened, bench.sizes, (side, figures) => {
      const said = Object.entries(figures).map(([figure, value]) => `${figure} ${shown(value)}`)
      say(`  ${name}: ${side}: ${said.join(', ')}`)
    })
    return { name, title, verdicts: claims.map((claim) => verdictOn(claim, results)), sides: medians(results) }
  } finally {
    await opened.close?.()
  }
}

async function main() {
  const options = readOptions()
  if (options.help) return say(help())
  if (options.record && (options.short || options.only)) {
    refuse('What is recorded is a whole run: --record goes neither with --only nor with --short')
  }
  const rows = chosenRows(options)
  const sizes = options.short ? SHORT : FULL
  if (options.short) say('The short form: fewer events, spaces and readers than the titles say, and no verdict.')
  const bench = {
    sizes,
    stage: once(() => openStage(sizes)),
    archive: once(() => openArchive(sizes, options.data, say)),
  }
  /** @type {Measured[]} */
  const measured = []
  for (const row of rows) {
    say(row.title)
    measured.push(await measure(row, bench))
  }

  const on = await machine(postgresVersion)
  say(`\n${claimTable(measured, !options.short)}\n\n${figureTable(measured)}`)
  if (options.json !== undefined) {
    await writeFile(options.json, `${JSON.stringify({ on, sizes, rows: measured }, null, 2)}\n`)
  }
  if (options.record) await record(measured, on, sizes.rounds)
  const failed = measured.some((row) => row.failed !== undefined)
  const missed = measured.some(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'missed'))
  if (failed || (missed && !options.short)) process.exitCode = 1
}

/** Made at the first call, and the same for all. @template T @param {() => Promise<T>} make */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let made
  return () => {
    made ??= make()
    return made
  }
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, async () => {
    await endAll()
    process.exit(130)
  })
}
try {
  await main()
} finally {
  await endAll()
}
