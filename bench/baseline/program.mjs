import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/**
 * Starts a program of this folder, which prints its address when it is ready.
 * @param {string} file
 * @param {readonly string[]} words
 */
export async function startBaseline(file, words) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const url = await Promise.race([
    once(child.stdout, 'data').then(([line]) => String(line).trim()),
    exited.then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ])
  return {
    url,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}
