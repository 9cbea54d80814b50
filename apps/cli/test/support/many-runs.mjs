import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

// Runs the built command many times in one process, each run with its own arguments, environment, files and terminal
// width, and prints their outputs. A process for each run would take minutes.

const { main, platform, runs } = JSON.parse(await text(process.stdin))
const results = []
const printed = process.stdout.write.bind(process.stdout)
// biome-ignore lint/style/noProcessEnv: each run has an environment of its own
const environment = { ...process.env }
Object.defineProperty(process, 'platform', { value: platform })
process.setMaxListeners(0)
process.stdout.setMaxListeners(0)
process.stderr.setMaxListeners(0)

for (const [number, { args, env = {}, columns, stdin = '', files = {}, isInterrupted }] of runs.entries()) {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    const stream = process[name]
    stream.write = (piece, ...more) => {
      written[name] += Buffer.from(piece).toString('utf8')
      if (isInterrupted) process.emit('SIGINT')
      const callback = more.at(-1)
      if (typeof callback === 'function') process.nextTick(callback)
      return true
    }
    Object.defineProperty(stream, 'isTTY', { value: columns !== null, configurable: true })
    Object.defineProperty(stream, 'columns', { value: columns ?? undefined, configurable: true })
    // Prevents a pager, as nothing is longer than the screen.
    Object.defineProperty(stream, 'rows', { value: 1_000_000, configurable: true })
  }
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(stdin)]), configurable: true })
  process.env = { ...environment, ...env }
  process.argv = [process.execPath, main, ...args]
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    rmSync(path, { force: true })
    writeFileSync(path, content, { mode: 0o600 })
  }
  const code = await new Promise((resolve, reject) => {
    process.exit = resolve
    import(`${pathToFileURL(main)}?run=${number}`).catch(reject)
  })
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM')
  results.push({ code, ...written })
}

process.exit = process.reallyExit
printed(JSON.stringify(results), () => process.exit(0))
