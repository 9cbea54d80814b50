import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** The tick length of process times on Linux; other systems have no such count. */
const TICKS_PER_SECOND =
  process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0

/** Returns the processor time of a process in milliseconds; 0 for one that has exited. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return 0
  // The program name is in parentheses, and may contain any characters. Exited children count too.
  const [user, system, ofChildren, systemOfChildren] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return ((Number(user) + Number(system) + Number(ofChildren) + Number(systemOfChildren)) / TICKS_PER_SECOND) * 1_000
}

/** Returns the processor time of a process and its children, such as PostgreSQL's process for each connection. */
export async function processorTimeOfFamily(pid: number): Promise<number> {
  const times = [processorTime(pid), ...(await childrenOf(pid)).map(processorTime)]
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.join(' ').split(' ').filter(Boolean).map(Number)
}
