import { onTestFinished } from 'vitest'
import { PATIENT } from './patience.js'
import { Program } from './program.js'

/** The built server for one test, which it does not outlive. */
export function startProgram(environment: Readonly<Record<string, string>>, words?: readonly string[]): Program {
  const program = new Program({ ...PATIENT, ...environment }, words)
  onTestFinished(async () => {
    await program.kill('SIGKILL')
  })
  return program
}
