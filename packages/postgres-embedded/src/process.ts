import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** Whether there is a process with this number, ours or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The processes that this one has started and not yet buried. */
export async function childrenOf(parent: number): Promise<number[]> {
  const processes = process.platform === 'linux' ? await fromProc() : await fromPs()
  return processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
}

/** The number of a process and that of its parent. */
type ProcessRelation = [pid: number, ppid: number]

async function fromProc(): Promise<ProcessRelation[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // The name of a program is in parentheses, and may have some itself. Its state follows, then its parent.
  const stats = await Promise.all(names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')))
  return stats.map((stat, index) => [Number(names[index]), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2])])
}

async function fromPs(): Promise<ProcessRelation[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-A', '-o', 'pid=,ppid='])
  return stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number) as ProcessRelation)
}

/** The command line of a process, or else its stat line; empty when neither is known. */
export async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // A zombie has no command line any more.
    return command.replaceAll('\0', ' ') || (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
  }
  const ps = promisify(execFile)('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return (await ps.catch(() => ({ stdout: '' }))).stdout
}
