import { readFile, writeFile } from 'node:fs/promises'

/** Resets the peak memory of a process, on Linux. */
const RESET = '5'

/** Returns by how many MB the memory of a process grew at most during the work. */
export async function growthDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  await writeFile(`/proc/${pid}/clear_refs`, RESET)
  const before = await peakMb(pid)
  await work()
  return (await peakMb(pid)) - before
}

async function peakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6
}
