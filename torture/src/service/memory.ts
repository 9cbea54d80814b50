import { writeFile } from 'node:fs/promises'
import { CAN_MEASURE_MEMORY, peakMemory } from '@collab-spaces/testing/programs'
import type { Instance } from './instance.js'

/** Resets the peak memory of a process. */
const RESET = '5'

/** Measures the peak growth of a server's memory. */
export class MemoryWatch {
  private constructor(
    private readonly server: Instance,
    private readonly before: number,
  ) {}

  static async begin(server: Instance): Promise<MemoryWatch> {
    if (!CAN_MEASURE_MEMORY) return new MemoryWatch(server, 0)
    await writeFile(`/proc/${server.program.pid}/clear_refs`, RESET)
    return new MemoryWatch(server, peakMemory(server.program))
  }

  /** In MB; 0 if the system does not report it. */
  growth(): number {
    return CAN_MEASURE_MEMORY ? Math.round(peakMemory(this.server.program) - this.before) : 0
  }
}
