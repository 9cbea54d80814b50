import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rawRequest } from '@collab-spaces/testing/programs'
import type { Request } from '../workload/request.js'
import { pathOf } from './install.js'
import type { Throughput } from './throughput.js'

/** HTTP load over a number of connections, by a program that uses little processor time. */

/** The path in the source, since it is not part of the build. */
const SCRIPT = fileURLToPath(new URL('../../src/tools/wrk.lua', import.meta.url))

export interface HttpLoad {
  readonly url: string
  readonly requests: readonly Request[]
  readonly connections: number
  readonly seconds: number
  /** The directory for temporary files. */
  readonly directory: string
}

/** The last line of the script. */
interface Summary {
  readonly requests: number
  readonly microseconds: number
  readonly p50: number
  readonly p99: number
  readonly refused: number
  readonly broken: number
}

/** Sends random requests of the given ones. All of them must succeed. */
export async function wrk(load: HttpLoad): Promise<Throughput> {
  const summary = await summaryOf(load)
  // On a busy machine the time may end before the first answer.
  if (summary === null || summary.requests === 0) return wrk({ ...load, seconds: load.seconds * 2 })
  if (summary.refused > 0 || summary.broken > 0) {
    throw new Error(`of ${summary.requests} requests ${summary.refused} were refused and ${summary.broken} broken`)
  }
  return {
    perSecond: summary.requests / (summary.microseconds / 1_000_000),
    p50: summary.p50 / 1_000,
    p99: summary.p99 / 1_000,
  }
}

/** Returns the summary; null if wrk was stopped before it began. */
async function summaryOf({ url, requests, connections, seconds, directory }: HttpLoad): Promise<Summary | null> {
  const program = await pathOf('wrk')
  const file = join(directory, `requests-${randomUUID()}`)
  await writeFile(file, requests.map((request) => rawRequest(new URL(url).host, request)).join('\x1e'))
  // wrk accepts only whole seconds, and ends early when it is interrupted.
  const wholeSeconds = Math.ceil(seconds)
  const amount = ['-t', '1', '-c', String(connections), '-d', `${wholeSeconds}s`]
  const env = { ...process.env, CONNECTIONS: String(connections) }
  const running = promisify(execFile)(program, [...amount, '-s', SCRIPT, url, '--', file], { env })
  const timer = seconds < wholeSeconds && setTimeout(() => running.child.kill('SIGINT'), seconds * 1_000)
  try {
    const { stdout } = await running
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  } catch (error) {
    if ((error as { signal?: unknown }).signal === 'SIGINT') return null
    throw error
  } finally {
    if (timer) clearTimeout(timer)
    await rm(file)
  }
}
