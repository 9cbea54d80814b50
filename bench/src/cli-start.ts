/**
 * Measures the start of the built `spaces` command against that of an empty Node program: `node
 * bench/dist/cli-start.js`. The programs take turns, so that other load on the machine affects them alike.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ascending, formatNumber, median, percentile } from './report/numbers.js'

/**
 * A separate program, since this one blocks. It answers every request with an empty list, at the address that it
 * prints.
 */
const EMPTY_LISTS = `
const answer = (_, response) => response.setHeader('content-type', 'application/json').end('[]')
const server = require('node:http').createServer(answer).listen(0, '127.0.0.1', () => console.log(server.address().port))`
const server = spawn(process.execPath, ['-e', EMPTY_LISTS], { stdio: ['ignore', 'pipe', 'inherit'] })
const [port] = await once(server.stdout, 'data')
const env = {
  ...process.env,
  SPACES_URL: `http://127.0.0.1:${String(port).trim()}`,
  SPACES_TOKEN: `svc_${'0'.repeat(64)}`,
}

const SPACES = fileURLToPath(new URL('../../apps/cli/bin/spaces.js', import.meta.url))
const ROUNDS = 30

const STARTS: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'spaces --version': [SPACES, '--version'],
  'spaces --help': [SPACES, '--help'],
  'spaces space list --help': [SPACES, 'space', 'list', '--help'],
  'spaces space list': [SPACES, 'space', 'list'],
}

function millisecondsOf(args: readonly string[]): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`)
  return performance.now() - began
}

const times = new Map<string, number[]>(Object.keys(STARTS).map((name) => [name, []]))
// The first round fills the file system cache, and from Node 22 on the compile cache.
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, args] of Object.entries(STARTS)) {
    const time = millisecondsOf(args)
    if (round > 0) times.get(name)?.push(time)
  }
}

const baseline = median(times.get('node -e 0') ?? [])
process.stdout.write(`Node ${process.version}, ${ROUNDS} rounds: median ms, 90th percentile, times node -e 0\n`)
for (const [name, all] of times) {
  const ratio = formatNumber(median(all) / baseline)
  process.stdout.write(
    `${name.padEnd(26)} ${formatNumber(median(all)).padStart(6)} ${formatNumber(percentile(ascending(all), 0.9)).padStart(6)}  ×${ratio}\n`,
  )
}
server.kill()
