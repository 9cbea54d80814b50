import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterwards } from '../afterwards.mjs'

/**
 * Starts a program of this folder, which prints its address when it is ready.
 * @param {string} file
 * @param {readonly string[]} words
 */
export async function startBaseline(file, words) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const stop = afterwards(async () => {
    child.kill()
    await exited
  })
  const url = await Promise.race([
    addressSaidBy(child.stdout),
    exited.then(() => Promise.reject(new Error(`${file} ended before it was ready`))),
  ])
  return {
    url,
    stop,
  }
}

/** What else a program says at its start is not for us. @param {import('node:stream').Readable} output @returns {Promise<string>} */
function addressSaidBy(output) {
  return new Promise((resolve) => {
    let said = ''
    output.on('data', (chunk) => {
      said += chunk
      const address = /^(http:\S+)\n/m.exec(said)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
}
