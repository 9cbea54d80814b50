import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Shows text through a pager, and waits until the person has left it. False when the pager cannot be started. */
export async function showInPager(command: string, text: string): Promise<boolean> {
  const pager = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
  // Whoever leaves before the end has closed the pipe, which is all right.
  pager.stdin.on('error', () => {})
  pager.stdin.end(text)
  // In the terminal Ctrl-C reaches us too, and it is the pager's to answer.
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
