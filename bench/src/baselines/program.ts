import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { cleanup } from '../cleanup.js'

/** The running program of a baseline. */
export interface Baseline {
  readonly url: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

/** Starts a program of this folder, which prints its address when it is ready. */
export async function startBaseline(
  name: 'express' | 'fan-out' | 'parse-server',
  args: readonly string[] = [],
): Promise<Baseline> {
  const path = fileURLToPath(new URL(`${name}.js`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const stop = cleanup.add(async () => {
    child.kill()
    await exited
  })
  const url = await Promise.race([
    addressFrom(child.stdout),
    exited.then(() => Promise.reject(new Error(`${name} ended before it was ready`))),
  ])
  return { url, pid: child.pid as number, stop }
}

/** Returns the address in the output, and ignores other output. */
function addressFrom(output: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    output.on('data', (chunk) => {
      text += chunk
      const address = /^(http:\S+)\n/m.exec(text)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
}
