import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Settings } from '../settings.js'

/** Shows text in a pager until the person leaves it. False when the pager cannot be started. */
export async function showInPager({ command, environment }: Settings['pager'], text: string): Promise<boolean> {
  const pager = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: environment })
  // Leaving the pager before the end closes the pipe, which is fine.
  pager.stdin.on('error', () => {})
  pager.stdin.end(text)
  // Ctrl-C reaches both processes, but is the pager's to handle.
  const interrupted = process.listeners('SIGINT')
  const ignore = () => {}
  process.removeAllListeners('SIGINT').on('SIGINT', ignore)
  try {
    const [code] = await once(pager, 'close')
    return code !== 127 && code !== 126
  } catch {
    return false
  } finally {
    process.off('SIGINT', ignore)
    for (const listener of interrupted) process.on('SIGINT', listener)
  }
}
